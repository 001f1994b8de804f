import { taskOfAttempt } from "@wf/protocol";
import type { AdoptedAttempt } from "./adoption.ts";
import type { FinishedEvent } from "./effects.ts";

/** What earlier engines left behind, until the run comes to its tasks; their ends may be told before that. */
export class AdoptedAttempts {
  readonly #byTask: Map<string, AdoptedAttempt>;
  readonly #ends = new Map<string, FinishedEvent>();

  constructor(adopted: readonly AdoptedAttempt[]) {
    this.#byTask = new Map(adopted.map((attempt) => [attempt.task, attempt]));
  }

  of(task: string): AdoptedAttempt | undefined {
    return this.#byTask.get(task);
  }

  /** An end that was told early. Of what nobody waits for, nothing is kept. A success told again is older than its verdict. */
  keepEnd(end: FinishedEvent): void {
    if (end.isProvisional && this.#ends.has(end.attempt)) return;
    if (this.#byTask.get(taskOfAttempt(end.attempt))?.attempt === end.attempt) this.#ends.set(end.attempt, end);
  }

  /** Ends that were told before the run has come to their tasks. */
  keptEnds(): readonly FinishedEvent[] {
    return [...this.#ends.values()];
  }

  confirm(attempt: string): void {
    const end = this.#ends.get(attempt);
    if (end) this.#ends.set(attempt, { ...end, isProvisional: false });
  }

  /** The run has come to the task. Gives the attempt's end, if it has been told. */
  take(task: string): FinishedEvent | undefined {
    const attempt = this.#byTask.get(task)?.attempt ?? "";
    const end = this.#ends.get(attempt);
    this.#byTask.delete(task);
    this.#ends.delete(attempt);
    return end;
  }

  all(): readonly AdoptedAttempt[] {
    return [...this.#byTask.values()];
  }

  underWay(): string[] {
    return this.all()
      .filter(({ isUnderWay }) => isUnderWay)
      .map(({ attempt }) => attempt);
  }
}
