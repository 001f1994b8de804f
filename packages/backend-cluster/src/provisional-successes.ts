import type { TaskRecord } from "@wf/protocol";
import type { JobFailure } from "./job-ending.ts";

interface Success {
  readonly record: TaskRecord;
  readonly heardMs: number;
}

export interface Judged {
  readonly confirmed: readonly string[];
  /** Records that say why they are no successes. */
  readonly revoked: readonly TaskRecord[];
}

/** Successes in jobs, or in pilots, that have not been seen to their ends. */
export class ProvisionalSuccesses {
  readonly #byPlace = new Map<string, Map<string, Success>>();

  get size(): number {
    return this.#byPlace.size;
  }

  add(place: string, record: TaskRecord, heardMs: number): void {
    const others = this.#byPlace.get(place) ?? new Map<string, Success>();
    // What was sampled over time is in the store already.
    others.set(record.attempt, { record: { ...record, series: [] }, heardMs });
    this.#byPlace.set(place, others);
  }

  /** The place is seen to its end. */
  judge(place: string, why: (record: TaskRecord) => JobFailure | null): Judged {
    const successes = [...(this.#byPlace.get(place) ?? new Map<string, Success>()).values()];
    this.#byPlace.delete(place);
    const confirmed: string[] = [];
    const revoked: TaskRecord[] = [];
    for (const { record } of successes) {
      const failure = why(record);
      if (failure === null) confirmed.push(record.attempt);
      else revoked.push({ ...record, state: "failed", failure, outputs: {} });
    }
    return { confirmed, revoked };
  }

  /** The place still runs: what was heard of before that time was not touched by an end that is to come. */
  confirmHeardBefore(place: string, timeMs: number): readonly string[] {
    const successes = this.#byPlace.get(place);
    if (successes === undefined) return [];
    const old = [...successes].filter(([, { heardMs }]) => heardMs < timeMs).map(([attempt]) => attempt);
    for (const attempt of old) successes.delete(attempt);
    if (successes.size === 0) this.#byPlace.delete(place);
    return old;
  }
}
