import type { FailureClass } from "@wf/protocol";
import type { Fact } from "./fact.ts";
import type { History } from "./test-history.ts";

/** Second tries that a failure is worth where the task's own retries do not count. */
const BUDGETS: Readonly<Partial<Record<FailureClass, number>>> = {
  preempted: 100,
  "node-failed": 5,
  interrupted: 3,
  lost: 3,
  "stage-in": 1,
  internal: 1,
};

/** What a history broke of that which holds however engines and sites come to their ends; empty where all was kept. */
export function brokenLaws({ journal, lives, store, site }: History, retries: number, failedFast: boolean): string[] {
  const reader = new JournalReader(retries);
  for (const [at, fact] of journal.entries()) {
    if (lives.includes(at)) reader.newEngine();
    reader.read(fact);
  }
  // A run that stops at a failure does not come to all that an earlier engine left: who resumes it does.
  const isExcused = (attempt: string) =>
    reader.dropped.has(attempt) || (failedFast && reader.isOfEarlierEngine(attempt));
  const open = store.openAttempts().map(({ attempt }) => attempt);
  const unjudged = store.provisionalSuccesses().map(({ attempt }) => attempt);
  const left = (attempts: readonly string[], why: string) =>
    attempts.filter((attempt) => !isExcused(attempt)).map((attempt) => `${attempt} ${why}`);
  return [
    ...reader.broken,
    ...left(open, "was forgotten"),
    ...left(unjudged, "stayed provisional"),
    ...left(site.inFlight(), "is still in flight"),
  ];
}

class JournalReader {
  readonly broken: string[] = [];
  readonly dropped = new Set<string>();
  readonly #retries: number;
  readonly #submitted = new Set<string>();
  /** The attempt that each task has under way. */
  readonly #open = new Map<string, string>();
  #earlier: ReadonlySet<string> = new Set();
  readonly #ended = new Set<string>();
  /** The tasks that have succeeded, with the attempt where that is provisional. */
  readonly #successes = new Map<string, string | null>();
  readonly #keys = new Map<string, string | null>();
  readonly #outdatedKeys = new Map<string, string | null>();
  /** Of this life: how often each task was submitted, and how often it may be. */
  readonly #submissions = new Map<string, number>();
  readonly #allowed = new Map<string, number>();
  readonly #failures = new Map<string, number>();

  constructor(retries: number) {
    this.#retries = retries;
  }

  newEngine(): void {
    this.#earlier = new Set(this.#submitted);
    this.newLife();
  }

  isOfEarlierEngine(attempt: string): boolean {
    return this.#earlier.has(attempt);
  }

  /** A new engine, or one that starts over, has counted no failures yet. */
  newLife(): void {
    this.#submissions.clear();
    this.#allowed.clear();
    this.#failures.clear();
  }

  read(fact: Fact): void {
    switch (fact.type) {
      case "task.ready":
        if (fact.key !== null && this.#outdatedKeys.get(fact.task) === fact.key)
          this.#say(`${fact.task} was outdated, and nothing about it has changed`);
        this.#outdatedKeys.delete(fact.task);
        this.#keys.set(fact.task, fact.key);
        break;
      case "attempt.submitted":
        this.#onSubmitted(fact.task, fact.attempt);
        break;
      case "attempt.finished":
        this.#onEnded(fact.task, fact.record.attempt);
        break;
      case "attempt.dropped":
        this.dropped.add(fact.attempt);
        this.#onEnded(fact.task, fact.attempt);
        break;
      case "task.retry":
        add(this.#allowed, fact.task);
        this.#onRetry(fact.task, fact.failure);
        break;
      case "task.sliced":
      case "task.unreached":
        add(this.#allowed, fact.task);
        break;
      case "task.ended":
        if (fact.state === "done" && !fact.replayed) {
          if (this.#successes.has(fact.task)) this.#say(`${fact.task} was published twice`);
          this.#successes.set(fact.task, fact.provisional ?? null);
        }
        if (fact.state === "failed" && fact.cause?.class !== undefined && !fact.replayed)
          this.#onFailed(fact.task, fact.cause.class);
        break;
      case "attempts.confirmed":
        for (const { task, attempt } of fact.attempts) {
          if (this.#successes.get(task) !== attempt) this.#say(`${attempt} was confirmed, and was no success`);
          this.#successes.set(task, null);
        }
        break;
      case "task.revoked":
        if (this.#successes.get(fact.task) !== fact.record.attempt)
          this.#say(`${fact.record.attempt} was revoked, and was no provisional success`);
        this.#successes.delete(fact.task);
        this.#ended.delete(fact.record.attempt);
        break;
      case "task.outdated":
        this.#successes.delete(fact.task);
        this.#outdatedKeys.set(fact.task, this.#keys.get(fact.task) ?? null);
        break;
      case "run.rewound":
        this.newLife();
        break;
    }
  }

  #onSubmitted(task: string, attempt: string): void {
    if (this.#submitted.has(attempt)) this.#say(`${attempt} was submitted twice`);
    this.#submitted.add(attempt);
    const other = this.#open.get(task);
    if (other !== undefined) this.#say(`${attempt} was submitted while ${other} was under way`);
    this.#open.set(task, attempt);
    if (this.#successes.has(task)) this.#say(`${attempt} was submitted, and nobody had revoked its success`);
    if (add(this.#submissions, task) > 1 + (this.#allowed.get(task) ?? 0))
      this.#say(`${attempt} was submitted without a reason`);
  }

  #onEnded(task: string, attempt: string): void {
    this.#open.delete(task);
    if (this.#ended.has(attempt)) this.#say(`${attempt} ended twice`);
    if (!this.#submitted.has(attempt)) this.#say(`${attempt} ended, and was never submitted`);
    this.#ended.add(attempt);
  }

  #onRetry(task: string, failure: FailureClass): void {
    const used = add(this.#failures, budgetOf(task, failure));
    if (used > (BUDGETS[failure] ?? this.#retries)) this.#say(`${task} was tried again too often after ${failure}`);
  }

  #onFailed(task: string, failure: FailureClass): void {
    const used = this.#failures.get(budgetOf(task, failure)) ?? 0;
    if (used < (BUDGETS[failure] ?? this.#retries)) this.#say(`${task} was given up too early after ${failure}`);
  }

  #say(what: string): void {
    this.broken.push(what);
  }
}

function budgetOf(task: string, failure: FailureClass): string {
  return `${failure in BUDGETS ? failure : "retries"} of ${task}`;
}

function add(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}
