import type { AttemptNews } from "./attempt-news.ts";
import type { BatchSystem, SystemEvent } from "./batch-system.ts";
import { type Element, toSettle } from "./element.ts";
import type { HandedOver } from "./handed-over.ts";
import { type JobEnding, type JobFailure, type JobTraces, unknownEnding } from "./job-ending.ts";
import type { LoginNode } from "./login-node.ts";

export interface JobNewsOptions {
  readonly handed: HandedOver;
  readonly attempts: AttemptNews;
  readonly login: Pick<LoginNode, "outputOf" | "settle">;
  readonly system: Pick<BatchSystem<never>, "title" | "cancel" | "gather">;
  readonly signal: AbortSignal;
}

/** What follows for attempts from what the scheduler tells of their jobs. */
export class JobNews {
  readonly #options: JobNewsOptions;
  /** Will never start, and may be in the queue still. */
  readonly #givenUp = new Set<Element>();

  constructor(options: JobNewsOptions) {
    this.#options = options;
  }

  /** What will never start, and of which the scheduler has not been told yet. */
  get givenUp(): readonly Element[] {
    return [...this.#givenUp].filter(({ unfinished }) => unfinished.size === 0);
  }

  async hear(event: SystemEvent): Promise<void> {
    const { handed, attempts, system } = this.#options;
    const element = handed.ofJob(event.job);
    if (element === undefined) return;
    switch (event.type) {
      case "started":
        for (const attempt of element.unfinished) attempts.start(attempt, event.startedAt);
        return;
      case "held":
        attempts.hold(element, event.job, event.reason);
        return;
      case "released":
        attempts.release(element, event.job);
        return;
      case "hopeless":
        return await this.#giveUp(element, event.message);
      case "ended":
        return await this.#conclude(element, event.ending);
      case "vanished": {
        const message = `${system.title} knows nothing of its job any more (job ${event.job})`;
        return await this.#conclude(element, unknownEnding({ class: "lost", message }));
      }
      default:
        event satisfies never;
    }
  }

  /** Returns those that had not started, and never will. `end`: their jobs are over, even if they had started. */
  async settle(
    elements: readonly Element[],
    failure: JobFailure,
    end: JobTraces | null,
    signal: AbortSignal,
  ): Promise<readonly Element[]> {
    if (elements.every(({ unfinished }) => unfinished.size === 0)) return [];
    const unstarted = await this.#options.login.settle(
      elements.map((element) => toSettle(element, failure, end)),
      signal,
    );
    return unstarted.flatMap((position) => elements[position] ?? []);
  }

  /** The scheduler would leave it in the queue for ever. */
  async #giveUp(element: Element, message: string): Promise<void> {
    const { system, signal } = this.#options;
    this.#givenUp.add(element);
    const given = await this.settle([element], { class: "not-started", message }, null, signal);
    await system.cancel(given, "waiting", signal);
    this.#givenUp.delete(element);
  }

  async #conclude(element: Element, ending: JobEnding): Promise<void> {
    const { handed, attempts, login, system, signal } = this.#options;
    if (element.taken !== null) handed.close(element.taken.job);
    const wrong = (await system.gather?.(element, signal)) ?? null;
    await attempts.waitForRecords(element, signal);
    const isPlain = element.unfinished.size === 0 && (ending.isByItself || !element.hasSucceeded);
    const printed = isPlain ? "" : await login.outputOf(element, signal);
    attempts.ended(element, ending, printed);
    const { class: name, message } = ending.failure(printed);
    const failure = { class: name, message: wrong === null ? message : `${wrong}; ${message}` };
    await this.settle([element], failure, ending, signal);
  }
}
