import type { JobSpec } from "@wf/backend";
import type { TaskRecord } from "@wf/core";
import type { JobFailure } from "./job-ending.ts";
import type { LookReply } from "./login-node.ts";

/** Allocations that work off jobs which the scheduler never hears of. */
export interface Pool {
  fits(job: JobSpec): boolean;
  add(jobs: readonly JobSpec[]): void;
  has(attempt: string): boolean;
  /** Whether the scheduler will say how the allocation of this attempt ended. */
  isInPilot(attempt: string): boolean;
  begun(attempt: string, pilot: string): void;
  finished(attempt: string): void;
  cancel(attempts: readonly string[], failure: JobFailure, signal: AbortSignal): Promise<void>;
  adoptPilots(pilots: LookReply["pilots"]): Promise<void>;
  adoptAttempts(attempts: readonly string[]): void;
  close(signal: AbortSignal): Promise<void>;
}

export interface PoolHooks {
  /** The id of a submission that was not seen to its end; null where there is none. */
  recall(token: string): Promise<string | null>;
  /** Of attempts whose allocation was told to end: why, or null where it could be anything. */
  onOver(attempts: readonly string[], why: TaskRecord["failure"]): void;
  onFailed(error: unknown): void;
  readonly signal: AbortSignal;
}
