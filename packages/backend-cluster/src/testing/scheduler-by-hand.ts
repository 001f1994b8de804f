import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Account, JobSpec } from "@wf/protocol";
import type { BatchSystem, CancelHow, JobPhase, SubmitAnswer, SystemEvent } from "../batch-system.ts";
import type { Element } from "../element.ts";
import type { JobEnding, JobFailure } from "../job-ending.ts";
import type { Fit, Submission } from "../submitting/submission.ts";

/** A scheduler that does nothing by itself: a test says what it answers, and what becomes of its jobs. */
export class SchedulerByHand implements BatchSystem<null> {
  readonly title = "The scheduler";
  readonly howToRelease = "release JOB";
  readonly largestSubmission = 10;
  readonly submissions: Submission<null>[] = [];
  readonly cancelled: { readonly jobs: readonly string[]; readonly how: CancelHow }[] = [];
  readonly settledJobs: string[] = [];
  /** How many calls of `cancel` will not be answered. */
  deafTo = 0;
  confirmations = 0;
  hurries = 0;
  answer: (submission: Submission<null>) => SubmitAnswer | Promise<SubmitAnswer>;
  readonly #runFolder: string;
  #tell: (event: SystemEvent) => void = () => undefined;

  constructor(runFolder: string) {
    this.#runFolder = runFolder;
    this.answer = () => ({ type: "accepted", id: String(this.submissions.length) });
  }

  /** As the program on the site does before it asks the scheduler. */
  makeFolderOf({ token }: Submission<null>): void {
    mkdirSync(join(this.#runFolder, "submissions", token, "started"), { recursive: true });
  }

  async submit(submission: Submission<null>): Promise<SubmitAnswer> {
    this.submissions.push(submission);
    return await this.answer(submission);
  }

  /** The launcher of an element begins with a task. */
  begin(submission: Submission<null>, index: number, attempt: string): void {
    mkdirSync(join(this.#runFolder, "submissions", submission.token, "started", String(index)));
    mkdirSync(join(this.#runFolder, "started"), { recursive: true });
    const marker = JSON.stringify({ attempt, startedAt: 1_700_000_000, host: "n1" });
    writeFileSync(join(this.#runFolder, "started", `${attempt}.json`), marker);
  }

  tell(event: SystemEvent): void {
    this.#tell(event);
  }

  end(
    job: string,
    failure: JobFailure,
    interruption: JobFailure | null = null,
    how: Partial<Pick<JobEnding, "isByItself" | "exit" | "endedAt" | "peakMemoryBytes">> = {},
  ): void {
    const ending: JobEnding = {
      ...{
        nodes: "n1",
        startedAt: 1_700_000_000,
        endedAt: 1_700_000_060,
        peakMemoryBytes: null,
        isByItself: false,
        exit: null,
        ...how,
      },
      failure: () => failure,
      interruption: () => interruption,
    };
    this.#tell({ type: "ended", job, ending });
  }

  fit({ cpus }: JobSpec): Fit<null> {
    return cpus > 8 ? { type: "none", message: "too large" } : { type: "fits", request: null };
  }

  jobName(id: string, index: number): string {
    return `${id}_${index}`;
  }

  async run(onEvent: (event: SystemEvent) => void, signal: AbortSignal): Promise<void> {
    this.#tell = onEvent;
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  removal(elements: readonly Element[]): string {
    return `remove ${elements.map(({ taken }) => taken?.job).join(" ")}`;
  }

  watch(): void {}

  settled(job: string): void {
    this.settledJobs.push(job);
  }

  confirm(): void {
    this.confirmations += 1;
  }

  hurry(): void {
    this.hurries += 1;
  }

  phaseOf(): JobPhase | undefined {
    return undefined;
  }

  async cancel(elements: readonly Element[], how: CancelHow, signal: AbortSignal): Promise<void> {
    if (this.deafTo > 0) {
      this.deafTo -= 1;
      await once(signal, "abort");
    }
    signal.throwIfAborted();
    const jobs = elements.flatMap(({ taken }) => taken?.job ?? []);
    if (jobs.length > 0) this.cancelled.push({ jobs, how });
  }

  async accounts(): Promise<ReadonlyMap<string, Account>> {
    return new Map();
  }
}
