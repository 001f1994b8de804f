import type { ValueDiff } from "@wf/data";
import { counted, formatCount, listed } from "../format/count.ts";
import { printable } from "../format/printable.ts";
import type { PartChange, Reason } from "./explain-task.ts";

const LONGEST_TEXT = 60;

/** The headline of a reason: what happened to the task, and compared with what. */
export function reasonText(task: string, reason: Reason): string {
  switch (reason.why) {
    case "cached":
      return `${task} was cached from ${reason.from.run} ${reason.from.task}: all ${formatCount(reason.parts.length)} parts of its key are the same`;
    case "never-reused":
      return `${task} ran: it has no key, so it is never reused`;
    case "never-ran-before":
      return `${task} ran: it never ran before`;
    case "not-run":
      return `${task} was not run (${reason.state})`;
    case "cache-not-used":
      return `${task} ran although ${reason.earlier.run} ${reason.earlier.task} has the same key: the run was started with --no-cache`;
    case "result-gone":
      return `${task} ran although ${reason.earlier.run} ${reason.earlier.task} has the same key: its result was no longer there, or not there yet`;
    case "key-differs": {
      const { run, task: other } = reason.earlier;
      const parts = `${counted(reason.changes.length, "part")} of its key ${reason.changes.length === 1 ? "differs" : "differ"}`;
      if (other === task) return `${task} ran: ${parts} from ${run} ${other}`;
      return `${task} never ran before. Compared with the nearest, ${run} ${other}: ${parts}`;
    }
  }
}

/** `input train: 3 of 492 files differ (a.png, b.png, c.png)`, `param lr: 0.1 -> 0.2`. */
export function changeText({ part, change, before, after, diff }: PartChange): string {
  const [kind = "", ...rest] = part.split(" ");
  const name = rest.length === 0 ? kind : `${kind} \`${rest.join(" ")}\``;
  if (change === "new") return `${name}: new${after === undefined ? "" : ` (${short(after)})`}`;
  if (change === "gone") return `${name}: no longer there${before === undefined ? "" : ` (it was ${short(before)})`}`;
  if (part === "code workflow") return "code: the workflow's own file changed";
  if (diff !== undefined) return `${name}: ${diffText(diff)}`;
  if (before !== undefined && after !== undefined) return `${name}: ${short(before)} -> ${short(after)}`;
  return `${name}: changed`;
}

function diffText({ unit, total, differing, added, removed, examples }: ValueDiff): string {
  const changed = differing + added + removed;
  const names = listed(
    examples.map(({ name }) => printable(name)),
    changed,
  );
  if (unit === "value" || (unit === "file" && total === 1 && changed === 1)) return `changed (${names})`;
  const parts = [
    ...(differing > 0
      ? [`${formatCount(differing)} of ${counted(total, unit)} ${differing === 1 ? "differs" : "differ"}`]
      : []),
    ...(added > 0 ? [`${counted(added, unit)} added`] : []),
    ...(removed > 0 ? [`${counted(removed, unit)} removed`] : []),
  ];
  return `${parts.join(", ")} (${names})`;
}

function short(text: string): string {
  const line = printable(text);
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`;
}
