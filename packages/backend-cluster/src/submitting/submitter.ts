import { setTimeout as delay } from "node:timers/promises";
import type { JobSpec } from "@wf/protocol";
import { steadyNow } from "@wf/transport";
import type { BatchSystem } from "../batch-system.ts";
import { type Element, elementOf, toSettle, unsubmittedElement } from "../element.ts";
import { unknownEnding } from "../job-ending.ts";
import type { LoginNode } from "../login-node.ts";
import { batchWindowMs, recentFlushes } from "./batch-window.ts";
import { planSubmissions } from "./plan-submissions.ts";
import type { Submission } from "./submission.ts";

const USUAL_FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

export interface SubmitterOptions<Request> {
  readonly run: string;
  readonly system: Pick<BatchSystem<Request>, "title" | "largestSubmission" | "fit" | "submit" | "jobName">;
  readonly login: Pick<LoginNode, "settle">;
  readonly windowMs: number;
  /** After the first time that nobody knows whether a submission was taken; twice as long after each further one. */
  readonly firstRetryMs?: number;
  /** Whether something waits or runs already, so that what is ready now is in no hurry. */
  hasOthers(): boolean;
  /** Elements whose fate is decided from now on by records. */
  onHanded(elements: readonly Element[]): void;
  /** The scheduler has taken them. */
  onAccepted(elements: readonly Element[]): void;
  onFailed(error: unknown): void;
  readonly signal: AbortSignal;
}

/** Gathers jobs that become ready within a short window, and hands equal ones to the scheduler as one. */
export class Submitter<Request> {
  readonly #options: SubmitterOptions<Request>;
  #ready: JobSpec[] = [];
  #window: NodeJS.Timeout | null = null;
  /** When something was submitted of late. */
  #flushes: readonly number[] = [];

  constructor(options: SubmitterOptions<Request>) {
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#window && clearTimeout(this.#window), { once: true });
  }

  has(attempt: string): boolean {
    return this.#ready.some(({ tasks }) => tasks.some((task) => task.attempt === attempt));
  }

  add(jobs: readonly JobSpec[]): void {
    if (jobs.length === 0) return;
    this.#ready.push(...jobs);
    const { windowMs, onFailed, hasOthers } = this.#options;
    const restMs = batchWindowMs(windowMs, hasOthers() ? this.#flushes : [], steadyNow());
    this.#window ??= setTimeout(() => void this.#flush().catch(onFailed), restMs);
  }

  /** Takes jobs back of which the scheduler has not been told. */
  takeBack(attempts: ReadonlySet<string>): readonly JobSpec[] {
    const isWanted = ({ tasks }: JobSpec) => tasks.every(({ attempt }) => attempts.has(attempt));
    const taken = this.#ready.filter(isWanted);
    this.#ready = this.#ready.filter((job) => !isWanted(job));
    return taken;
  }

  /** Jobs of which the scheduler has not been told, and of which only some attempts are meant. */
  partlyReady(attempts: ReadonlySet<string>): readonly JobSpec[] {
    return this.#ready.filter(({ tasks }) => tasks.some(({ attempt }) => attempts.has(attempt)));
  }

  async #flush(): Promise<void> {
    this.#window = null;
    this.#flushes = [...recentFlushes(this.#flushes, steadyNow()), steadyNow()];
    const { run, system, login, onHanded, signal, firstRetryMs = USUAL_FIRST_RETRY_MS } = this.#options;
    const { submissions, misfits } = planSubmissions(run, this.#ready, system);
    this.#ready = [];
    const planned = submissions.map((submission) => {
      const { token, jobs } = submission;
      return { submission, elements: jobs.map((job, index) => elementOf(job, token, index, jobs.length)) };
    });
    const unfit = misfits.map(({ job, message }) => ({ element: unsubmittedElement(job), message }));
    onHanded([...planned.flatMap(({ elements }) => elements), ...unfit.map(({ element }) => element)]);
    if (unfit.length > 0) {
      const settled = unfit.map(({ element, message }) => toSettle(element, { class: "not-started", message }, null));
      await login.settle(settled, signal);
    }
    for (const { submission, elements } of planned) await this.#submit(submission, elements, firstRetryMs);
  }

  async #submit(submission: Submission<Request>, elements: readonly Element[], retryMs: number): Promise<void> {
    const { system, login, onAccepted, onFailed, signal } = this.#options;
    const isDone = ({ unfinished, hasSucceeded }: Element) => unfinished.size === 0 && !hasSucceeded;
    if (elements.every(isDone)) return;
    const answer = await system.submit(submission, signal);
    if (answer.type === "accepted") {
      const { id } = answer;
      for (const element of elements) {
        element.taken = { id, job: system.jobName(id, element.index, element.siblings) };
      }
      onAccepted(elements);
    } else if (answer.type === "refused") {
      const failure = { class: "not-started", message: `${system.title} refused its job: ${answer.words}` } as const;
      await login.settle(
        elements.map((element) => toSettle(element, failure, unknownEnding(failure))),
        signal,
      );
    } else {
      const later = async () => {
        await delay(retryMs, undefined, { signal });
        await this.#submit(submission, elements, Math.min(LONGEST_RETRY_MS, retryMs * 2));
      };
      void later().catch(onFailed);
    }
  }
}
