import type { Json, Value } from "@wf/core";
import type { Fact } from "@wf/engine";
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
 * What a person, or a program, sees of a run while it goes on. Each fact costs a few counters: drawing happens on a
 * clock of its own. On `resume`, the facts that the store holds are given again before the new ones.
 */
export interface RunView {
  begin(run: RunStart): void;
  fact(fact: Fact): void;
  /** One line worth reading that is no fact: "reading 12,000 files of xrays". */
  note(text: string): void;
  /** What the scheduler says of the run's jobs has changed. */
  queue(state: QueueState): void;
  end(summary: RunSummary): void;
}
