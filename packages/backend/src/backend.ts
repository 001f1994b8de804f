import type { JobSpec, TaskRecord, WfError } from "@wf/protocol";

/** What may be in use at once. */
export interface Capacity {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

/** What a place to run can do, as data: the planner reads it and the CLI prints it. */
export interface Capabilities {
  /** What runs at once; null where a queue takes whatever it is given. */
  readonly capacity: Capacity | null;
  /** How many tasks the engine may have handed over and not yet seen finished. */
  readonly maxInFlight: number;
  readonly arrays: boolean;
  readonly fileTransfer: boolean;
  readonly liveMetrics: boolean;
}

export interface QueuedAttempt {
  readonly attempt: string;
  /** What the scheduler calls the job that carries it. */
  readonly queueJob: string;
}

export type BackendEvent =
  /** The scheduler of the site has taken their jobs. It may be told again. */
  | { readonly type: "queued"; readonly attempts: readonly QueuedAttempt[] }
  | { readonly type: "started"; readonly attempt: string; readonly startedAt: number }
  /** The scheduler holds their job: they do not run, even if they had started, until somebody releases it. */
  | {
      readonly type: "held";
      readonly attempts: readonly string[];
      readonly queueJob: string;
      /** In the scheduler's own words. */
      readonly reason: string;
    }
  | { readonly type: "released"; readonly attempts: readonly string[]; readonly queueJob: string }
  /** `isProvisional`: a success whose job may yet turn out to have been ended from outside. `confirmed` or `revoked` follows. */
  | {
      readonly type: "finished";
      readonly attempt: string;
      readonly record: TaskRecord;
      readonly isProvisional?: boolean;
    }
  /** Their jobs ended by themselves. */
  | { readonly type: "confirmed"; readonly attempts: readonly string[] }
  /** Its job was ended from outside, and it had not ended before that. `record` is the one that counts. */
  | { readonly type: "revoked"; readonly attempt: string; readonly record: TaskRecord }
  /** The backend cannot go on by itself and no event will follow. What runs is left to run: a resumed engine adopts it. */
  | { readonly type: "broken"; readonly error: WfError };

/** What a run that has ended leaves in the queue of a scheduler. */
export interface LeftInQueue {
  /** As the scheduler calls them. */
  readonly jobs: readonly string[];
  /** For people to type: it takes them out of the queue. */
  readonly remove: string;
}

/**
 * What became of an attempt that an earlier engine handed over.
 * - `running`: it runs, or waits inside a job that runs; its `finished` event will come.
 * - `finished`: it has a record (which may say that it was lost); its `finished` event has come or will come.
 * - `lost`: it was started and is proven to be dead, but has no record. No event will come.
 * - `never-submitted`: it was not started and will not be. No event will come until it is submitted again.
 */
export type Adoption = "running" | "finished" | "lost" | "never-submitted";

/**
 * The port that a place to run implements. An adapter translates and never decides: order, retries and
 * placement belong to the engine and the planner.
 *
 * Laws, held by the contract suite:
 * - every attempt of a submitted job ends in exactly one `finished` event while the backend is open;
 * - a provisional success ends in exactly one `confirmed` or `revoked` event while the backend is open;
 * - a `finished` event's record is on the site's storage before the event;
 * - submitting a job again whose attempts are known is harmless: nothing runs twice, and an attempt that
 *   has a record already is answered with its `finished` event;
 * - an attempt is reported lost only when it is proven to be dead.
 */
export interface Backend {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Connects, or starts what is needed. Events begin to flow. */
  open(onEvent: (event: BackendEvent) => void, signal: AbortSignal): Promise<void>;
  submit(jobs: readonly JobSpec[], signal: AbortSignal): Promise<void>;
  cancel(attempts: readonly string[], signal: AbortSignal): Promise<void>;
  /** For attempts that the store believes to be under way, or provisional. What runs, or has a record, leads to events. */
  adopt(attempts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Adoption>>;
  /** Nothing but what is provisional is waited for: how those jobs ended is asked soon. */
  confirm?(): void;
  /**
   * No more work will come. What runs is left to finish on its own, and told where a scheduler has it; what waits is
   * dropped, unless another engine has the run.
   */
  close(signal: AbortSignal, waiting?: "dropped" | "left"): Promise<LeftInQueue | null>;
}
