import type { Account, JobSpec } from "@wf/protocol";
import type { Element } from "./element.ts";
import type { JobEnding } from "./job-ending.ts";
import type { Fit, Submission } from "./submitting/submission.ts";

export type SubmitAnswer =
  /** `id`: what the scheduler calls the submission. */
  | { readonly type: "accepted"; readonly id: string }
  | { readonly type: "refused"; readonly words: string }
  /** No answer: it may have been taken. To submit it again is harmless. */
  | { readonly type: "unknown" };

export type SystemEvent =
  | { readonly type: "started"; readonly job: string; readonly startedAt: number }
  /** Somebody has to release it. It may be told again, and so may `released`. */
  | { readonly type: "held"; readonly job: string; readonly reason: string }
  | { readonly type: "released"; readonly job: string }
  /** It would wait for ever. */
  | { readonly type: "hopeless"; readonly job: string; readonly message: string }
  | { readonly type: "ended"; readonly job: string; readonly ending: JobEnding }
  /** The scheduler knows nothing of it, and was asked for long enough. */
  | { readonly type: "vanished"; readonly job: string };

/** What is known of a job that has not ended. */
export type JobPhase =
  | { readonly phase: "submitted" }
  /** `reason`: the scheduler's own word. Held: somebody has to release it. `hasLeft`: it had begun, and was taken from its node. */
  | { readonly phase: "waiting"; readonly reason: string; readonly isHeld: boolean; readonly hasLeft?: boolean }
  | { readonly phase: "running" };

/** `waiting`: jobs that have not started. `gently`: their tasks get their grace. `for-good`: at once. */
export type CancelHow = "waiting" | "gently" | "for-good";

/** News of the scheduler's own log of a run, where it keeps one. */
export type LogNews = { readonly events: string } | { readonly areEventsLost: true };

/** What differs between the schedulers of clusters. It translates; what follows is decided by who uses it. */
export interface BatchSystem<Request> {
  /** What people call it. */
  readonly title: string;
  /** How people let held jobs go on. */
  readonly howToRelease: string;
  /** The most jobs of one submission. */
  readonly largestSubmission: number;
  fit(job: JobSpec): Fit<Request>;
  submit(submission: Submission<Request>, signal: AbortSignal): Promise<SubmitAnswer>;
  /** What the scheduler calls one element of a submission. */
  jobName(id: string, index: number, siblings: number): string;
  /** Tells what becomes of watched jobs. Goes on until the signal. */
  run(onEvent: (event: SystemEvent) => void, signal: AbortSignal): Promise<void>;
  watch(jobs: readonly string[]): void;
  /** Its attempts have all their records: only how it ended is still to be heard. */
  settled(job: string): void;
  /** How jobs ended that are settled is all that is waited for. */
  confirm(): void;
  /** There is something that only the scheduler can explain. */
  hurry(): void;
  hearLog?(news: LogNews): void;
  /** Brings what a job left behind to the storage, where it does not lie there by itself. Says what is wrong with it. */
  gather?(element: Element, signal: AbortSignal): Promise<string | null>;
  phaseOf(job: string): JobPhase | undefined;
  cancel(elements: readonly Element[], how: CancelHow, signal: AbortSignal): Promise<void>;
  /** What people type to take them out of the queue. */
  removal(elements: readonly Element[]): string;
  /** What accounting says of jobs that are over. It may lag behind. */
  accounts(jobs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Account>>;
}
