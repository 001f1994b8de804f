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
  /** Both fade with time, so that their ratio tells of the last seconds. */
  #recentBusySeconds = 0;
  #recentSeconds = 0;
  #busySeconds = 0;
  #sampledAt: number | undefined;

  /** To be called now and then; `now` in Unix seconds. Time in which nothing ran does not count. */
  sample(progress: RunProgress, now: number): void {
    const elapsed = this.#sampledAt === undefined ? 0 : now - this.#sampledAt;
    const busySeconds = progress.busySeconds(now);
    const busy = busySeconds - this.#busySeconds;
    this.#busySeconds = busySeconds;
    this.#sampledAt = now;
    if (elapsed <= 0 || busy <= 0) return;
    const weight = Math.exp(-elapsed / MEMORY_SECONDS);
    this.#recentBusySeconds = weight * this.#recentBusySeconds + busy;
    this.#recentSeconds = weight * this.#recentSeconds + elapsed;
  }

  /** Undefined while nothing has finished. */
  of(progress: RunProgress, now: number): TimeLeft | undefined {
    if (this.#recentSeconds === 0) return undefined;
    const parallelism = this.#recentBusySeconds / this.#recentSeconds;
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
      seconds += (left * stage.meanSeconds) / Math.min(parallelism, left);
    }
    for (const { stage, startedAt } of progress.running.values()) {
      const spent = Math.min(now - (startedAt ?? now), stage.meanSeconds ?? 0);
      seconds -= spent / Math.max(parallelism, 1);
    }
    return isKnown ? { seconds: Math.max(0, seconds), isLowerBound } : undefined;
  }
}
