import type { FailureClass } from "@wf/protocol";
import type { JobEnding, JobExit, JobFailure } from "./job-ending.ts";

/**
 * A scheduler signals the processes of a job one by one, tells times in whole seconds, and nodes have clocks of their own:
 * what ended so shortly before the first signal may have been ended by it.
 */
const MARGIN_SECONDS = 10;
const TOLD = /^told to end at (\d+(?:\.\d+)?)$/m;

/** The same for grep. */
export const TOLD_LINE = "^told to end at [0-9.]*$";

/**
 * Why a success of a job does not count; null where it does.
 * Law: of a job that was ended from outside, only what had ended before its first signal is a success.
 * `isAlone`: no other task shared the job, that could have taken too much.
 */
export function whyNoSuccess(
  endedAt: number,
  ending: JobEnding,
  printed: string,
  isAlone: boolean,
  signalledAt = firstSignalAt(ending, printed),
): JobFailure | null {
  if (ending.isByItself) return null;
  const exit = ending.exit ?? (toldAt(printed) === null ? null : "told-to-end");
  const failure = ending.interruption(printed) ?? (exit && { class: "interrupted", message: WORDS[exit] });
  if (failure === null) return null;
  if (signalledAt !== null && endedAt < signalledAt - MARGIN_SECONDS) return null;
  return isAlone || !TAKES_TOO_MUCH.has(failure.class) ? failure : { ...failure, class: "interrupted" };
}

/** What the one task that ran out of it pays for. */
const TAKES_TOO_MUCH: ReadonlySet<FailureClass> = new Set(["out-of-memory", "time-limit"]);

const WORDS: Readonly<Record<JobExit, string>> = {
  killed: "its job was told to end",
  "told-to-end": "its job was told to end",
  "without-tasks": "its job was ended, and then started again",
};

/** By then the job had been told to end; null where nobody knows. A job that took its time to leave has ended later. */
function firstSignalAt({ exit, endedAt }: JobEnding, printed: string): number | null {
  const told = toldAt(printed);
  const isLate = exit === "told-to-end" || exit === "without-tasks";
  const known = [told, isLate ? null : endedAt].filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** When the launcher heard of it, by the clock of its node. */
function toldAt(printed: string): number | null {
  const seconds = TOLD.exec(printed)?.[1];
  return seconds === undefined ? null : Number(seconds);
}

/** The end of what a job printed, and what it said before that of when it was told to end. */
export function tailOf(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const [rest, tail] = [text.slice(0, -mostCharacters), text.slice(-mostCharacters)];
  const told = TOLD.exec(rest)?.[0];
  return told === undefined ? tail : `${told}\n${tail}`;
}
