import type { Fact } from "@wf/engine";
import type { TaskRecord } from "@wf/protocol";
import { formatBytes } from "../format/bytes.ts";
import { counted, listed } from "../format/count.ts";
import { printable } from "../format/printable.ts";

const TASKS_TOLD_SINGLY = 5;
const FILES_NAMED = 3;

/** Files that tasks wrote and did not declare: the first tasks are told one by one, of the rest only the number. */
export class UndeclaredLog {
  #tasks = 0;

  /** The line to show, if this fact tells of such files. */
  note(fact: Fact): string | undefined {
    if (fact.type !== "attempt.finished" || fact.record.undeclared.length === 0) return undefined;
    this.#tasks += 1;
    return this.#tasks > TASKS_TOLD_SINGLY ? undefined : undeclaredLine(fact.task, fact.record.undeclared);
  }

  /** What was not told singly. */
  rest(run: string): string[] {
    const more = this.#tasks - TASKS_TOLD_SINGLY;
    return more <= 0 ? [] : [`${counted(more, "more task")} wrote files that they do not declare: wf show ${run} TASK`];
  }
}

function undeclaredLine(task: string, files: TaskRecord["undeclared"]): string {
  const named = files.slice(0, FILES_NAMED).map(({ path, size }) => `${printable(path)} (${formatBytes(size)})`);
  const what = `${counted(files.length, "file")} that it does not declare`;
  return `${task} wrote ${what}: ${listed(named, files.length)}. Declare as outputs what you want to keep`;
}
