import type { AttemptDetails } from "@wf/store";
import { counted } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { printable } from "../format/printable.ts";

type Attempt = Pick<AttemptDetails, "attempt" | "slice" | "usage" | "failure">;

/** The parts of a resumable task's work: of each slice the attempt that counts. None for other tasks. */
export function slicesOf<A extends Attempt>(attempts: readonly A[]): readonly A[] {
  const last = new Map<number, A>();
  for (const attempt of attempts) if (attempt.slice !== null) last.set(attempt.slice, attempt);
  return [...last.values()];
}

/** `3 slices, 14s in all`; undefined for a task that was done in one piece. */
export function slicesText(attempts: readonly Attempt[]): string | undefined {
  const slices = slicesOf(attempts);
  if (slices.length < 2) return undefined;
  const seconds = attempts.reduce((sum, { usage }) => sum + (usage?.wallSeconds ?? 0), 0);
  return `${counted(slices.length, "slice")}, ${formatDuration(seconds)} in all`;
}

/** Why a task that goes on had to, slice by slice: `slice 1 (train@1, 5.0s): its time was up, …`. */
export function sliceLines(attempts: readonly Attempt[]): string[] {
  return slicesOf(attempts)
    .filter(({ failure }) => failure !== null)
    .map(({ attempt, slice, usage, failure }) => {
      const time = usage === null ? "" : `, ${formatDuration(usage.wallSeconds)}`;
      return `slice ${slice} (${attempt}${time}): ${printable(failure?.message ?? "")}`;
    });
}
