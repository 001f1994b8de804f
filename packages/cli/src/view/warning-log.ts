import type { Fact } from "@wf/engine";
import { counted } from "../format/count.ts";
import { printable } from "../format/printable.ts";

const TASKS_TOLD_SINGLY = 5;

/** Reports of tasks that made no sense: the first tasks are told one by one, of the rest only the number. */
export class WarningLog {
  #tasks = 0;

  /** The line to show, if this fact tells of such reports. */
  note(fact: Fact): string | undefined {
    const [first, ...more] = fact.type === "attempt.finished" ? (fact.record.warnings ?? []) : [];
    if (fact.type !== "attempt.finished" || first === undefined) return undefined;
    this.#tasks += 1;
    if (this.#tasks > TASKS_TOLD_SINGLY) return undefined;
    const rest = more.length === 0 ? "" : `, and ${counted(more.length, "more warning")}: wf show ${fact.task}`;
    return `${fact.task}: ${printable(first)}${rest}`;
  }

  /** What was not told singly. */
  rest(run: string): string[] {
    const more = this.#tasks - TASKS_TOLD_SINGLY;
    return more <= 0 ? [] : [`${counted(more, "more task")} reported what makes no sense: wf show ${run} TASK`];
  }
}
