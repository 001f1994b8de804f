import type { Graph, Resources } from "@wf/core";
import type { Resolved, StagePlan, ValueOps } from "@wf/planner";
import type { Memory } from "./ports.ts";

/** What a run stands on. */
export interface RunOptions {
  readonly run: string;
  readonly graph: Graph;
  readonly plan: StagePlan;
  readonly inputs: ReadonlyMap<string, Resolved>;
  readonly ops: ValueOps;
  readonly memory: Memory;
  readonly useCache: boolean;
  /** Go on with what does not depend on a failed task. */
  readonly keepGoing: boolean;
  /** Retries for tasks that declare none of their own. */
  readonly retries: number;
  /** How many jobs run at once, and how many may be handed over. */
  readonly slots: number;
  readonly mostInFlight: number;
  /** The most that each process of a task may ask for which asks for this; infinite where the site does not say. */
  readonly mostMemoryBytes: (asked: Resources) => number;
  readonly random: () => number;
}
