import type { FailureClass } from "@wf/core";
import type { JobEnding, JobFailure } from "./job-ending.ts";

/**
 * A scheduler signals the processes of a job one by one, tells times in whole seconds, and nodes have clocks of their own:
 * what ended so shortly before the first signal may have been ended by it.
 */
const MARGIN_SECONDS = 10;
const TOLD = /^told to end at (\d+(?:\.\d+)?)$/m;

/**
 * Why a success of a job does not count; null where it does.
 * Law: of a job that was ended from outside, only what had ended before its first signal is a success.
 * `isAlone`: no other task shared the job, that could have taken too much.
 */
export function whyNoSuccess(endedAt: number, ending: JobEnding, printed: string, isAlone: boolean): JobFailure | null {
  if (ending.isByItself) return null;
  const told = toldAt(printed);
  const failure = ending.interruption(printed) ?? (ending.isKilled || told !== null ? TOLD_TO_END : null);
  if (failure === null) return null;
  const known = [told, ending.endedAt].filter((time) => time !== null);
  if (known.length > 0 && endedAt < Math.min(...known) - MARGIN_SECONDS) return null;
  return isAlone || !TAKES_TOO_MUCH.has(failure.class) ? failure : { ...failure, class: "interrupted" };
}

/** What the one task that ran out of it pays for. */
const TAKES_TOO_MUCH: ReadonlySet<FailureClass> = new Set(["out-of-memory", "time-limit"]);

const TOLD_TO_END: JobFailure = { class: "interrupted", message: "its job was told to end" };

/** When the launcher heard of it, by the clock of its node. */
function toldAt(printed: string): number | null {
  const seconds = TOLD.exec(printed)?.[1];
  return seconds === undefined ? null : Number(seconds);
}
