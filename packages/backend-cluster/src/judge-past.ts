import type { JobEnding, JobFailure } from "./job-ending.ts";
import { whyNoSuccess } from "./why-ended.ts";

/** A task that was recorded as a success, whenever that was. Times are Unix seconds, by the clock of its node. */
export interface PastSuccess {
  readonly startedAt: number;
  readonly endedAt: number;
  /** No other task shared its job. */
  readonly isAlone: boolean;
}

export type PastVerdict =
  | { readonly type: "stands" }
  /** Nobody knows its job any more. */
  | { readonly type: "unknown" }
  | { readonly type: "revoked"; readonly failure: JobFailure; readonly jobEndedAt: number | null };

const CLOCK_SECONDS = 60;

/**
 * Whether a success is one, by what accounting still says of its job: the same judgement as right after a job's end.
 * `lives`: a job that was started again has several. Those in which the task cannot have run are another job's by the same
 * number, or another life of its own.
 */
export function judgePast(success: PastSuccess, lives: readonly JobEnding[]): PastVerdict {
  const its = lives.filter(
    ({ startedAt, endedAt }) =>
      startedAt !== null &&
      startedAt - CLOCK_SECONDS <= success.startedAt &&
      (endedAt === null || success.startedAt <= endedAt + CLOCK_SECONDS),
  );
  if (its.length === 0) return { type: "unknown" };
  for (const life of its) {
    // What a job printed is not read again: one that says by its exit that it was told to end was judged by that.
    const signalledAt = life.exit === "told-to-end" ? life.endedAt : undefined;
    const failure = whyNoSuccess(success.endedAt, life, "", success.isAlone, signalledAt);
    if (failure !== null) return { type: "revoked", failure, jobEndedAt: life.endedAt };
  }
  return { type: "stands" };
}
