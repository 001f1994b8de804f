import type { Resolved } from "@wf/planner";
import { numberOfAttempt, type TaskRecord } from "@wf/protocol";
import type { Fact } from "./fact.ts";
import { lastMetrics } from "./last-metrics.ts";
import type { Doubt, Memory, OpenAttempt } from "./ports.ts";
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
  readonly #keys = new Map<string, string | null>();
  readonly #provisional = new Map<string, OpenAttempt>();
  /** The keys of tasks that are in doubt. */
  readonly #doubts = new Map<string, string | null>();

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
    return end && !this.#provisional.has(end.provisional ?? "") ? this.#result(end) : undefined;
  }

  attemptsOf(task: string): number {
    return this.#attempts.get(task) ?? 0;
  }

  /** Nobody keeps accounts here. */
  accountedMemoryOf(): null {
    return null;
  }

  openAttempts(): readonly OpenAttempt[] {
    return [...this.#open.values()];
  }

  provisionalSuccesses(): readonly OpenAttempt[] {
    return [...this.#provisional.values()];
  }

  hasDoubts(): boolean {
    return this.#doubts.size > 0;
  }

  doubtOf(task: string): Doubt | undefined {
    const key = this.#doubts.get(task);
    const was = this.#ends.get(task)?.state ?? null;
    return key === undefined || was === "skipped" ? undefined : { was, key };
  }

  progressOf(task: string): Progress {
    return this.#progress.get(task) ?? AT_THE_START;
  }

  /** How each task has ended so far; what was reused counts as done, and what is in doubt does not count. */
  ends(): Record<string, string> {
    const certain = [...this.#ends].filter(([task]) => !this.#doubts.has(task));
    const ends = certain.map(([task, { state }]) => [task, state === "cached" ? "done" : state] as const);
    return Object.fromEntries(ends.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  ofType<T extends Fact["type"]>(type: T): Extract<Fact, { type: T }>[] {
    return this.facts.filter((fact): fact is Extract<Fact, { type: T }> => fact.type === type);
  }

  #apply(fact: Fact): void {
    switch (fact.type) {
      case "task.ready":
        this.#keys.set(fact.task, fact.key);
        this.#doubts.delete(fact.task);
        break;
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
        if (fact.state === "skipped") this.#doubts.delete(fact.task);
        if (fact.provisional !== undefined)
          this.#provisional.set(fact.provisional, this.#attempt(fact.provisional, fact.task));
        if (fact.state === "done" && fact.key) this.#byKey.set(fact.key, fact);
        break;
      case "attempts.confirmed":
        for (const { attempt } of fact.attempts) this.#provisional.delete(attempt);
        break;
      case "task.revoked":
        this.#forget(fact.task);
        this.#records.delete(fact.task);
        this.#provisional.delete(fact.record.attempt);
        this.#doubtAll();
        break;
      case "task.upheld":
        this.#doubts.delete(fact.task);
        break;
      case "task.outdated":
        this.#forget(fact.task);
        this.#progress.delete(fact.task);
        this.#doubts.delete(fact.task);
        for (const { task, attempt } of this.#provisional.values()) {
          if (task === fact.task) this.#provisional.delete(attempt);
        }
        break;
      case "attempt.dropped":
        this.#open.delete(fact.attempt);
        break;
    }
  }

  #attempt(attempt: string, task: string): OpenAttempt {
    return { task, attempt, number: numberOfAttempt(attempt) };
  }

  #forget(task: string): void {
    const end = this.#ends.get(task);
    this.#ends.delete(task);
    for (const [key, entry] of this.#byKey) if (entry === end) this.#byKey.delete(key);
  }

  /** All that the run has come to, also what waits for another try with what an earlier one left. */
  #doubtAll(): void {
    for (const task of this.#ends.keys()) this.#doubts.set(task, null);
    for (const [task, key] of this.#keys) this.#doubts.set(task, key);
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
