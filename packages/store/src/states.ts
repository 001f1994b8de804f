/** `stopped`: drained before its end; it can be resumed. Created and running runs can be resumed too. */
export const RUN_STATUSES = ["created", "running", "succeeded", "failed", "cancelled", "stopped"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
export type FinalRunStatus = Exclude<RunStatus, "created" | "running">;

/** A task that failed an attempt and will be tried again is `ready` once more. */
export const TASK_STATES = [
  "ready",
  "submitted",
  "running",
  "done",
  "cached",
  "failed",
  "skipped",
  "cancelled",
] as const;
export type TaskState = (typeof TASK_STATES)[number];
export type FinalTaskState = Exclude<TaskState, "ready" | "submitted" | "running">;

export type AttemptState = "submitted" | "running" | "succeeded" | "failed";

/** What a task may report as a metric. */
export type MetricValue = number | string | boolean | null;
export type Metrics = Readonly<Record<string, MetricValue>>;
