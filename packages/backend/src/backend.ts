import type { TaskRecord } from "@wf/core";
import type { JobSpec } from "./job-spec.ts";

/** What a place to run can do, as data: the planner reads it and the CLI prints it. */
export interface Capabilities {
  /** What runs at once; null where a queue takes whatever it is given. */
  readonly capacity: { readonly cpus: number; readonly memoryBytes: number; readonly gpus: number } | null;
  /** How many tasks the engine may have handed over and not yet seen finished. */
  readonly maxInFlight: number;
  readonly arrays: boolean;
  readonly fileTransfer: boolean;
  readonly liveMetrics: boolean;
}

export type BackendEvent =
  | { readonly type: "started"; readonly attempt: string; readonly startedAt: number }
  | { readonly type: "finished"; readonly attempt: string; readonly record: TaskRecord };

/** What became of an attempt that an earlier engine handed over. */
export type Adoption = "running" | "finished" | "lost" | "never-submitted";

/**
 * The port that a place to run implements. An adapter translates and never decides: order, retries and
 * placement belong to the engine and the planner.
 *
 * Laws, held by the contract suite:
 * - every attempt of a submitted job ends in exactly one `finished` event while the backend is open;
 * - a `finished` event's record is on the site's storage before the event;
 * - submitting a job again whose attempts are known is harmless;
 * - an attempt is reported lost only when it is proven to be dead.
 */
export interface Backend {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Connects, or starts what is needed. Events begin to flow. */
  open(onEvent: (event: BackendEvent) => void, signal: AbortSignal): Promise<void>;
  submit(jobs: readonly JobSpec[], signal: AbortSignal): Promise<void>;
  cancel(attempts: readonly string[], signal: AbortSignal): Promise<void>;
  /** For attempts that the store believes to be under way. What runs, or has a record, leads to events. */
  adopt(attempts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Adoption>>;
  /** Leaves running attempts to finish on their own when `abandon` is false and any are left. */
  close(signal: AbortSignal): Promise<void>;
}
