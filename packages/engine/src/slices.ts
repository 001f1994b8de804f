import type { TaskNode } from "@wf/core";
import type { Resolved } from "@wf/planner";
import type { FailureClass, TaskRecord } from "@wf/protocol";
import { lastMetrics } from "./last-metrics.ts";

export type Checkpoint = NonNullable<TaskRecord["checkpoint"]>;

/** How far a resumable task has come: what its next attempt begins with. */
export interface Progress {
  /** The slice that the next attempt is; the first one is 1. */
  readonly slice: number;
  readonly checkpoint: Checkpoint | null;
  /** The last number under each name, of all slices so far: what the next one does not report again stays so. */
  readonly metrics: { readonly [name: string]: Resolved };
}

export const AT_THE_START: Progress = { slice: 1, checkpoint: null, metrics: {} };

/** What ends an attempt without being its fault: its time was up, or its place was taken. */
const PLACE_IS_GONE: ReadonlySet<FailureClass> = new Set([
  "slice-ended",
  "time-limit",
  "preempted",
  "interrupted",
  "node-failed",
  "lost",
]);

/** Whether the task simply goes on from the checkpoint that it left, which costs none of its retries. */
export function goesOn({ failure, checkpoint }: TaskRecord): boolean {
  return failure !== null && checkpoint !== undefined && PLACE_IS_GONE.has(failure.class);
}

/** Whatever ended an attempt: what it left is where the next one begins. */
export function progressAfter(before: Progress, record: TaskRecord): Progress {
  const { checkpoint } = record;
  if (checkpoint === undefined) return before;
  return { slice: before.slice + 1, checkpoint, metrics: { ...before.metrics, ...lastMetrics(record) } };
}

export function isResumable(node: TaskNode): boolean {
  return node.declaration.resumable !== undefined;
}
