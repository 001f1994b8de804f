import type { TaskRecord } from "@wf/core";
import type { Resolved } from "@wf/planner";
import type { Fact } from "./fact.ts";
import { lastMetrics } from "./last-metrics.ts";
import type { Memory, OpenAttempt } from "./ports.ts";
import { AT_THE_START, type Progress, progressAfter } from "./slices.ts";

type Ended = Extract<Fact, { type: "task.ended" }>;

/** What survives an engine: the facts of the run, and the results of earlier ones. */
export class TestStore implements Memory {
  readonly facts: Fact[] = [];
  readonly #open = new Map<string, OpenAttempt>();
  readonly #attempts = new Map<string, number>();
  readonly #progress = new Map<string, Progress>();
  readonly #records = new Map<string, TaskRecord>();
  readonly #ends = new Map<string, Ended>();
  readonly #byKey = new Map<string, Ended>();

  note(facts: readonly Fact[]): void {
    this.facts.push(...facts);
    for (const fact of facts) this.#apply(fact);
  }

  recall(task: string) {
    const end = this.#ends.get(task);
    return end && (end.state === "done" || end.state === "cached") ? this.#result(end) : undefined;
  }

  failureOf(task: string) {
    const end = this.#ends.get(task);
    return end?.state === "failed" ? end.cause : undefined;
  }

  cached(key: string) {
    const end = this.#byKey.get(key);
    return end && this.#result(end);
  }

  attemptsOf(task: string): number {
    return this.#attempts.get(task) ?? 0;
  }

  openAttempts(): readonly OpenAttempt[] {
    return [...this.#open.values()];
  }

  progressOf(task: string): Progress {
    return this.#progress.get(task) ?? AT_THE_START;
  }

  /** How each task has ended so far; what was reused counts as done. */
  ends(): Record<string, string> {
    const ends = [...this.#ends].map(([task, { state }]) => [task, state === "cached" ? "done" : state] as const);
    return Object.fromEntries(ends.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  ofType<T extends Fact["type"]>(type: T): Extract<Fact, { type: T }>[] {
    return this.facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
  }

  #apply(fact: Fact): void {
    switch (fact.type) {
      case "attempt.submitted":
        this.#open.set(fact.attempt, { task: fact.task, attempt: fact.attempt, number: fact.number });
        this.#attempts.set(fact.task, Math.max(this.attemptsOf(fact.task), fact.number));
        break;
      case "attempt.finished":
        this.#open.delete(fact.record.attempt);
        this.#progress.set(fact.task, progressAfter(this.progressOf(fact.task), fact.record));
        if (!fact.record.failure) this.#records.set(fact.task, fact.record);
        break;
      case "task.ended":
        if (fact.replayed) break;
        this.#ends.set(fact.task, fact);
        if (fact.state === "done" && fact.key) this.#byKey.set(fact.key, fact);
        break;
    }
  }

  #result(end: Ended) {
    const record = this.#records.get(end.cachedFrom?.task ?? end.task);
    return {
      outputs: (end.outputs ?? {}) as { readonly [name: string]: Resolved },
      metrics: record ? lastMetrics(record) : {},
      run: "run",
      task: end.task,
    };
  }
}
