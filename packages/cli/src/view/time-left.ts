import type { RunProgress } from "./run-progress.ts";

const MEMORY_SECONDS = 20;

export interface TimeLeft {
  readonly seconds: number;
  /** More tasks, or stages that nothing is known about yet, will come on top. */
  readonly isLowerBound: boolean;
}

/**
 * Guesses when a run will be done: what is left of each stage at its mean duration, at the parallelism seen lately.
 * A stage never uses more of it than it has tasks, so a chain at the end of a wide fan-out is not thought to be fast.
 */
export class TimeLeftEstimate {
  #parallelism: number | undefined;
  #busySeconds = 0;
  #sampledAt: number | undefined;

  /** To be called now and then; `now` in Unix seconds. */
  sample(progress: RunProgress, now: number): void {
    const busySeconds = progress.busySeconds(now);
    const elapsed = this.#sampledAt === undefined ? 0 : now - this.#sampledAt;
    if (this.#sampledAt !== undefined && elapsed <= 0) return;
    const used = busySeconds - this.#busySeconds;
    this.#busySeconds = busySeconds;
    this.#sampledAt = now;
    if (elapsed <= 0 || used <= 0) return;
    const lately = used / elapsed;
    const weight = Math.exp(-elapsed / MEMORY_SECONDS);
    this.#parallelism = this.#parallelism === undefined ? lately : weight * this.#parallelism + (1 - weight) * lately;
  }

  /** Undefined while nothing has finished. */
  of(progress: RunProgress, now: number): TimeLeft | undefined {
    if (this.#parallelism === undefined) return undefined;
    let seconds = 0;
    let isLowerBound = false;
    let isKnown = false;
    for (const stage of progress.stages) {
      const left = stage.total - stage.ended;
      if (stage.isGrowing && !stage.isComplete) isLowerBound = true;
      if (left === 0) continue;
      if (stage.meanSeconds === undefined) {
        isLowerBound = true;
        continue;
      }
      isKnown = true;
      seconds += (left * stage.meanSeconds) / Math.min(this.#parallelism, left);
    }
    for (const { stage, startedAt } of progress.running.values()) {
      const spent = Math.min(now - (startedAt ?? now), stage.meanSeconds ?? 0);
      seconds -= spent / Math.max(this.#parallelism, 1);
    }
    return isKnown ? { seconds: Math.max(0, seconds), isLowerBound } : undefined;
  }
}
