import type { TaskRecord } from "@wf/core";
import type { AdoptedAttempt } from "./adoption.ts";
import { taskOfAttempt } from "./attempt-name.ts";

/** What earlier engines left behind, until the run comes to its tasks; their ends may be told before that. */
export class AdoptedAttempts {
  readonly #byTask: Map<string, AdoptedAttempt>;
  readonly #ends = new Map<string, TaskRecord>();

  constructor(adopted: readonly AdoptedAttempt[]) {
    this.#byTask = new Map(adopted.map((attempt) => [attempt.task, attempt]));
  }

  of(task: string): AdoptedAttempt | undefined {
    return this.#byTask.get(task);
  }

  /** An end that was told early. Of what nobody waits for, nothing is kept. */
  keepEnd(attempt: string, record: TaskRecord): void {
    if (this.#byTask.get(taskOfAttempt(attempt))?.attempt === attempt) this.#ends.set(attempt, record);
  }

  /** The run has come to the task. Gives the attempt's end, if it has been told. */
  take(task: string): TaskRecord | undefined {
    const attempt = this.#byTask.get(task)?.attempt ?? "";
    const end = this.#ends.get(attempt);
    this.#byTask.delete(task);
    this.#ends.delete(attempt);
    return end;
  }

  underWay(): string[] {
    return [...this.#byTask.values()].filter(({ isUnderWay }) => isUnderWay).map(({ attempt }) => attempt);
  }
}
