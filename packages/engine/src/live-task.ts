import type { PlannedStage, TaskInstance } from "@wf/planner";
import type { RetryPolicy } from "./retry-policy.ts";
import type { Progress } from "./slices.ts";
import type { TaskState } from "./task-life.ts";

/** A task that has to run and has not ended. */
export interface LiveTask {
  readonly instance: TaskInstance;
  /** What it asks for may grow from attempt to attempt. */
  stage: PlannedStage;
  readonly key: string | null;
  readonly policy: RetryPolicy;
  state: TaskState;
  progress: Progress;
  /** The name of the last one; empty before the first. */
  attempt: string;
  isAdopted: boolean;
  /** That attempt is another engine's. */
  isInherited: boolean;
}
