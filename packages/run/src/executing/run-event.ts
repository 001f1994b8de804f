import type { Fact } from "@wf/engine";
import type { Json, Value } from "@wf/protocol";
import type { RegisteredVersion } from "@wf/store";
import type { QueueState } from "../sites/queue-state.ts";

export interface RunStart {
  readonly id: string;
  readonly workflow: string;
  readonly site: string;
  /** The site's storage: what failed attempts left behind lies under it. */
  readonly storage: string;
  /** What tasks may use together; null where a queue decides. */
  readonly cpus: number | null;
  readonly stages: readonly StageStart[];
}

export interface StageStart {
  readonly stage: string;
  /** How many tasks it has; null while that is not known. */
  readonly count: number | null;
  /**
   * The node whose expansions make it grow, and whether there is one expansion only (a fan-out that lies in no other).
   * Without it, the total of a stage whose count is null is what has been seen.
   */
  readonly grownBy?: { readonly node: string; readonly isOnce: boolean };
}

/** An output of the workflow, as `show` and `run.finished` say it. */
export interface OutputSummary {
  readonly kind: Value["kind"];
  /** Where it lies; absent for a value that has no file. */
  readonly path?: string;
  readonly value?: Json;
  readonly sizeBytes?: number;
  readonly files?: number;
  readonly rows?: number;
}

/** `stopped`: drained, and can be resumed. */
export type RunEnd = "succeeded" | "failed" | "cancelled" | "stopped";

export interface RunSummary {
  readonly run: string;
  readonly status: RunEnd;
  readonly outputs: Readonly<Record<string, OutputSummary>>;
  readonly metrics: Readonly<Record<string, Json>>;
  /** The models that its outputs became versions of. */
  readonly models: readonly RegisteredVersion[];
  readonly seconds: number;
}

/**
 * What happens in a run, in order: what is worth a line before it begins and while it goes on (`note`), its beginning,
 * the facts of the engine, what the scheduler of its site says of its jobs (`queue`), and its end.
 */
export type RunEvent =
  | { readonly type: "note"; readonly text: string }
  | ({ readonly type: "run.started" } & RunStart)
  | Fact
  | { readonly type: "queue"; readonly state: QueueState }
  | ({ readonly type: "run.finished" } & RunSummary);
