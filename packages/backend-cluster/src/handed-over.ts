import type { Element } from "./element.ts";

/** What was handed over and has not finished, and jobs that were not seen to their ends. */
export class HandedOver {
  readonly #byAttempt = new Map<string, Element>();
  readonly #byJob = new Map<string, Element>();

  add(elements: readonly Element[]): void {
    for (const element of elements) {
      for (const attempt of element.unfinished) this.#byAttempt.set(attempt, element);
      if (element.taken !== null) this.#byJob.set(element.taken.job, element);
    }
  }

  has(attempt: string): boolean {
    return this.#byAttempt.has(attempt);
  }

  elementOf(attempt: string): Element | undefined {
    return this.#byAttempt.get(attempt);
  }

  ofJob(job: string): Element | undefined {
    return this.#byJob.get(job);
  }

  /** Elements of which nothing is left but these attempts. */
  whollyOf(attempts: ReadonlySet<string>): readonly Element[] {
    const touched = new Set([...attempts].flatMap((attempt) => this.#byAttempt.get(attempt) ?? []));
    return [...touched].filter(({ unfinished }) => [...unfinished].every((attempt) => attempts.has(attempt)));
  }

  /** Elements of which some of these attempts are left, but others, too. */
  partlyOf(attempts: ReadonlySet<string>): readonly Element[] {
    const touched = new Set([...attempts].flatMap((attempt) => this.#byAttempt.get(attempt) ?? []));
    return [...touched].filter(({ unfinished }) => [...unfinished].some((attempt) => !attempts.has(attempt)));
  }

  get size(): number {
    return this.#byAttempt.size;
  }

  elements(): Iterable<Element> {
    return new Set(this.#byAttempt.values());
  }

  /** Takes an attempt out. Returns the element that it was in, if there was any. */
  finish(attempt: string): Element | undefined {
    const element = this.#byAttempt.get(attempt);
    if (element === undefined) return undefined;
    this.#byAttempt.delete(attempt);
    element.unfinished.delete(attempt);
    return element;
  }

  /** Its end is known. */
  close(job: string): void {
    this.#byJob.delete(job);
  }
}
