import type { OpenAttempt } from "./ports.ts";

/** Attempts that ended well, with their tasks, of which nobody knows yet how their jobs ended. */
export class ProvisionalSuccesses {
  readonly #tasks: Map<string, string>;

  constructor(known: readonly OpenAttempt[]) {
    this.#tasks = new Map(known.map(({ attempt, task }) => [attempt, task]));
  }

  get size(): number {
    return this.#tasks.size;
  }

  has(attempt: string): boolean {
    return this.#tasks.has(attempt);
  }

  add(attempt: string, task: string): void {
    this.#tasks.set(attempt, task);
  }

  /** False when it was none. */
  revoke(attempt: string): boolean {
    return this.#tasks.delete(attempt);
  }

  /** Returns those that were provisional. */
  confirm(attempts: readonly string[]): readonly { readonly task: string; readonly attempt: string }[] {
    return attempts.flatMap((attempt) => {
      const task = this.#tasks.get(attempt);
      this.#tasks.delete(attempt);
      return task === undefined ? [] : [{ task, attempt }];
    });
  }

  /** Whatever its success was, the task is made again. */
  forget(task: string): void {
    for (const [attempt, its] of this.#tasks) if (its === task) this.#tasks.delete(attempt);
  }
}
