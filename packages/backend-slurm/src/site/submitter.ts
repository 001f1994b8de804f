import { setTimeout as delay } from "node:timers/promises";
import type { JobSpec } from "@wf/backend";
import type { SlurmSettings } from "@wf/site";
import { parseSbatch } from "../parsing/parse-sbatch.ts";
import { batchWindowMs, recentFlushes } from "../submitting/batch-window.ts";
import { planSubmissions, type Submission } from "../submitting/submission.ts";
import { submitScript } from "../submitting/submit-script.ts";
import { type Element, elementOf, toSettle, unsubmittedElement } from "./element.ts";
import type { LoginNode } from "./login-node.ts";
import type { Scheduler } from "./scheduler.ts";

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

export interface SubmitterOptions {
  readonly run: string;
  readonly python: string;
  readonly settings: SlurmSettings;
  readonly login: LoginNode;
  readonly scheduler: Scheduler;
  readonly brokenNodes: ReadonlySet<string>;
  /** Whether something waits or runs already, so that what is ready now is in no hurry. */
  hasOthers(): boolean;
  /** Elements whose fate is decided from now on by records. */
  onHanded(elements: readonly Element[]): void;
  /** SLURM has taken them: they have an id. */
  onAccepted(elements: readonly Element[]): void;
  onFailed(error: unknown): void;
  readonly signal: AbortSignal;
}

/** Gathers jobs that become ready within a short window, and hands them to SLURM as arrays. */
export class Submitter {
  readonly #options: SubmitterOptions;
  #ready: JobSpec[] = [];
  #window: NodeJS.Timeout | null = null;
  /** When something was submitted of late. */
  #flushes: readonly number[] = [];

  constructor(options: SubmitterOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#window && clearTimeout(this.#window), { once: true });
  }

  has(attempt: string): boolean {
    return this.#ready.some(({ tasks }) => tasks.some((task) => task.attempt === attempt));
  }

  add(jobs: readonly JobSpec[]): void {
    if (jobs.length === 0) return;
    this.#ready.push(...jobs);
    const { settings, onFailed, hasOthers } = this.#options;
    const windowMs = batchWindowMs(settings.batchWindow * 1000, hasOthers() ? this.#flushes : [], Date.now());
    this.#window ??= setTimeout(() => void this.#flush().catch(onFailed), windowMs);
  }

  /** Takes jobs back of which SLURM has not been told. */
  takeBack(attempts: ReadonlySet<string>): readonly JobSpec[] {
    const isWanted = ({ tasks }: JobSpec) => tasks.every(({ attempt }) => attempts.has(attempt));
    const taken = this.#ready.filter(isWanted);
    this.#ready = this.#ready.filter((job) => !isWanted(job));
    return taken;
  }

  /** Jobs of which SLURM has not been told, and of which only some attempts are meant. */
  partlyReady(attempts: ReadonlySet<string>): readonly JobSpec[] {
    return this.#ready.filter(({ tasks }) => tasks.some(({ attempt }) => attempts.has(attempt)));
  }

  async #flush(): Promise<void> {
    this.#window = null;
    this.#flushes = [...recentFlushes(this.#flushes, Date.now()), Date.now()];
    const { run, settings, login, onHanded, signal } = this.#options;
    const { submissions, misfits } = planSubmissions(run, this.#ready, settings);
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
    for (const { submission, elements } of planned) await this.#submit(submission, elements, FIRST_RETRY_MS);
  }

  async #submit(submission: Submission, elements: readonly Element[], retryMs: number): Promise<void> {
    const { login, scheduler, onAccepted, onFailed, signal } = this.#options;
    if (elements.every(({ unfinished }) => unfinished.size === 0)) return;
    await scheduler.waitFor("sbatch", signal);
    const reply = await login.submit(submission, this.#script(submission), signal);
    scheduler.noteRun(reply.commands, "sbatch");
    const answer = parseSbatch(reply);
    if (answer.type === "accepted") {
      for (const element of elements) element.id = answer.id;
      onAccepted(elements);
    } else if (answer.type === "refused") {
      const failure = { class: "not-started", message: `SLURM refused its job: ${answer.words}` } as const;
      await login.settle(
        elements.map((element) => toSettle(element, failure, "over")),
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

  #script({ name, request, partition, token, jobs }: Submission): string {
    const { run, python, settings, login, brokenNodes } = this.#options;
    return submitScript(
      { name, request, partition, elements: jobs.length, settings, excludedNodes: [...brokenNodes].sort() },
      { run, folder: login.folderOf(token), python, launcher: login.launcher },
    );
  }
}
