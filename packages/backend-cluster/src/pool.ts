import type { LeftInQueue } from "@wf/backend";
import type { JobSpec, TaskRecord } from "@wf/protocol";
import type { JobEnding, JobFailure } from "./job-ending.ts";
import type { LookReply } from "./login-node.ts";

/** Allocations that work off jobs which the scheduler never hears of. */
export interface Pool {
  fits(job: JobSpec): boolean;
  add(jobs: readonly JobSpec[]): void;
  has(attempt: string): boolean;
  /** The allocation that runs or ran this attempt, of which the scheduler says how it ended. */
  pilotOf(attempt: string): string | undefined;
  begun(attempt: string, pilot: string): void;
  finished(attempt: string): void;
  cancel(attempts: readonly string[], failure: JobFailure, signal: AbortSignal): Promise<void>;
  adoptPilots(pilots: LookReply["pilots"]): Promise<void>;
  adoptAttempts(attempts: readonly string[]): void;
  /** Nothing but the ends of allocations is waited for. */
  confirm(): void;
  /** What waits for an allocation fails so. Returns the allocations that still work. */
  close(failure: JobFailure, signal: AbortSignal): Promise<LeftInQueue | null>;
}

export interface PilotEnd {
  /** Why attempts failed that were told to end; null where it could be anything. */
  readonly why: TaskRecord["failure"];
  readonly ending: JobEnding;
  readonly printed: string;
}

export interface PoolHooks {
  /** The id of a submission that was not seen to its end; null where there is none. */
  recall(token: string): Promise<string | null>;
  /** An allocation is over. `attempts` are those that it had and did not end well. */
  onOver(pilot: string, attempts: readonly string[], end: PilotEnd): void;
  /** A listing that was asked for at that time shows that an allocation runs. */
  onAlive(pilot: string, askedMs: number): void;
  onFailed(error: unknown): void;
  readonly signal: AbortSignal;
}
