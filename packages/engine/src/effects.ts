import type { PlannedStage, TaskInstance } from "@wf/planner";
import type { TaskRecord } from "@wf/protocol";
import type { Fact } from "./fact.ts";
import type { Checkpoint } from "./slices.ts";

export interface AttemptOf {
  readonly task: TaskInstance;
  readonly stage: PlannedStage;
  readonly attempt: string;
  /** What it goes on from. */
  readonly checkpoint: Checkpoint | null;
}

export interface JobToSubmit {
  readonly job: string;
  readonly tasks: readonly AttemptOf[];
}

export type RunStatus = "succeeded" | "failed" | "cancelled" | "stopped";

/** What must happen because of an event: first the facts are stored, then the rest is done. */
export interface Effects {
  readonly facts: readonly Fact[];
  readonly submit: readonly JobToSubmit[];
  readonly glue: readonly AttemptOf[];
  /** Stages that have tasks to run and whose runtime must be made ready first. Each is named once. */
  readonly prepare: readonly PlannedStage[];
  readonly cancel: readonly string[];
  /** How many successes are still provisional, where nothing else is waited for; 0 otherwise. */
  readonly confirm: number;
  /** When to look again although nothing happened; null for never. */
  readonly wakeAtMs: number | null;
  readonly ended: RunStatus | null;
}

export interface FinishedEvent {
  readonly type: "finished";
  readonly attempt: string;
  readonly record: TaskRecord;
  /** A success of which nobody knows yet how its job ended. */
  readonly isProvisional?: boolean;
  readonly nowMs: number;
}

export type RevokedEvent = Extract<RunEvent, { type: "revoked" }>;

export type RunEvent =
  | { readonly type: "wake"; readonly nowMs: number }
  /** The runtime of a stage is ready. */
  | { readonly type: "prepared"; readonly stage: string }
  | { readonly type: "started"; readonly attempt: string; readonly startedAt: number }
  /** Somebody has to release them before they run. */
  | { readonly type: "held"; readonly attempts: readonly string[] }
  | { readonly type: "released"; readonly attempts: readonly string[] }
  /** Nobody has got them, and this engine hands them over no more: who resumes the run does. */
  | { readonly type: "not-taken"; readonly attempts: readonly string[] }
  | FinishedEvent
  /** Their jobs ended by themselves. */
  | { readonly type: "confirmed"; readonly attempts: readonly string[] }
  /** A success that is none: its job was ended from outside. `record` says so. */
  | { readonly type: "revoked"; readonly attempt: string; readonly record: TaskRecord; readonly nowMs: number }
  /** Hand over nothing more, let what runs end. */
  | { readonly type: "drain" }
  | { readonly type: "cancel" };
