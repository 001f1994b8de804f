import type { KnownResult, Resolved } from "@wf/planner";
import type { Json, Value } from "@wf/protocol";
import type { Fact, FailureCause, TaskEnd } from "./fact.ts";
import type { Progress } from "./slices.ts";

/** Where facts go before their effects. */
export interface Journal {
  /** All facts noted inside become visible together, or none. */
  atomically(work: () => void): void;
  note(fact: Fact): void;
}

/** An attempt that an earlier engine of this run handed over. */
export interface OpenAttempt {
  readonly task: string;
  readonly attempt: string;
  readonly number: number;
}

export interface Doubt {
  /** Null for a task that has not ended. */
  readonly was: TaskEnd | null;
  readonly key: string | null;
}

/** What the store remembers. */
export interface Memory {
  /** The result of a task of this run that ended well before the engine was stopped. */
  recall(task: string): KnownResult | undefined;
  /** Why a task of this run failed for good. Asked only where failing is allowed: such an end stays one. */
  failureOf(task: string): FailureCause | undefined;
  cached(key: string): KnownResult | undefined;
  /** Successes of this run of which nobody knows yet how their jobs ended. */
  provisionalSuccesses(): readonly OpenAttempt[];
  /** Whether a success was revoked, and the run has not come to all that it had done before. */
  hasDoubts(): boolean;
  /** Of a task that may stand on a revoked success: what it was, and the key with which it still stands, if any. */
  doubtOf(task: string): Doubt | undefined;
  /** How many attempts this task has had in this run. */
  attemptsOf(task: string): number;
  /** The most memory that accounting has counted for its attempts in this run so far; null where it has not yet. */
  accountedMemoryOf(task: string): number | null;
  openAttempts(): readonly OpenAttempt[];
  /** How far the slices of a resumable task have come in this run. */
  progressOf(task: string): Progress;
}

/** The content store, as far as the engine writes to it. */
export interface Artifacts {
  /** Gives JSON values that were computed on the way a place in the store, so that they can be staged. */
  keep(value: Resolved): Value;
}

/** Runs the small glue of a workflow beside the engine. */
export interface FnHost {
  run(call: FnCall, signal: AbortSignal): Promise<FnResult>;
  close(): Promise<void>;
}

export interface FnCall {
  /** The task's declared name, by which the bundle is asked for the function. */
  readonly task: string;
  readonly attempt: string;
  readonly inputs: { readonly [name: string]: Value };
  readonly params: { readonly [name: string]: Json };
  readonly timeLimitSeconds: number | null;
}

export type FnResult =
  | { readonly ok: true; readonly outputs: { readonly [name: string]: Value }; readonly usage: FnUsage }
  | {
      readonly ok: false;
      readonly class: "exit" | "time-limit" | "stage-in" | "output-invalid" | "cancelled";
      readonly message: string;
      readonly usage: FnUsage;
    };

export interface FnUsage {
  readonly userSeconds: number | null;
  readonly systemSeconds: number | null;
  readonly peakMemoryBytes: number | null;
  readonly readBytes: number | null;
  readonly writtenBytes: number | null;
}

/** Milliseconds since the epoch, and a way to be woken. Handed in, so that tests own time. */
export interface Clock {
  now(): number;
}
