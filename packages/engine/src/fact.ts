import type { QueuedAttempt } from "@wf/backend";
import type { Resources, SplitSet } from "@wf/core";
import type { Resolved } from "@wf/planner";
import type { FailureClass, Json, KeyPart, TaskRecord, Value } from "@wf/protocol";

/**
 * What becomes true in a run. A fact is in the store before its effect is visible; the same facts feed the live
 * view and `--json`.
 */
export type Fact =
  | {
      readonly type: "expanded";
      readonly node: string;
      readonly index: readonly number[];
      readonly count: number;
      readonly source: string;
    }
  | {
      readonly type: "task.ready";
      readonly task: string;
      readonly stage: string;
      readonly index: readonly number[];
      readonly key: string | null;
      readonly parts: readonly KeyPart[];
      readonly inputs: readonly UsedInput[];
      readonly params: Readonly<Record<string, Json>>;
    }
  /** Progress of a runtime that has to be made ready. */
  | {
      readonly type: "runtime.preparing";
      readonly stage: string;
      readonly requirements: readonly string[];
      readonly says: string;
      readonly percent: number | null;
    }
  | {
      readonly type: "runtime.ready";
      readonly stage: string;
      readonly runtime: string;
      readonly how: "found" | "uv" | "venv" | "debian";
      readonly interpreter: string;
      readonly python: string;
      readonly packages: Readonly<Record<string, string | null>>;
      /** It had been made before this run. */
      readonly wasReady: boolean;
      readonly seconds: number;
    }
  | {
      readonly type: "job.submitted";
      readonly job: string;
      readonly tasks: readonly string[];
      readonly resources: Resources;
    }
  | {
      readonly type: "attempt.submitted";
      readonly task: string;
      readonly attempt: string;
      readonly job: string;
      readonly number: number;
      /** Of a resumable task: which part of its work this is. */
      readonly slice?: number;
    }
  /** The scheduler of a site has taken their jobs. */
  | { readonly type: "attempts.queued"; readonly attempts: readonly (QueuedAttempt & { readonly task: string })[] }
  | {
      readonly type: "attempt.started";
      readonly task: string;
      readonly stage: string;
      readonly attempt: string;
      readonly startedAt: number;
    }
  /** The scheduler holds their job until somebody releases it. `isTakenBack`: nobody waits for that, since the run stops. */
  | {
      readonly type: "attempts.held";
      readonly attempts: readonly { readonly task: string; readonly attempt: string }[];
      readonly queueJob: string;
      readonly reason: string;
      readonly isTakenBack: boolean;
    }
  | { readonly type: "attempt.finished"; readonly task: string; readonly stage: string; readonly record: TaskRecord }
  | {
      readonly type: "task.retry";
      readonly task: string;
      readonly attempt: string;
      readonly failure: FailureClass;
      readonly message: string;
      readonly inSeconds: number;
    }
  /** The job of this attempt ended before the task's turn came: it waits for a place again. */
  | { readonly type: "task.unreached"; readonly task: string; readonly attempt: string; readonly message: string }
  /** A resumable task goes on where this attempt ended. */
  | {
      readonly type: "task.sliced";
      readonly task: string;
      readonly attempt: string;
      readonly failure: FailureClass;
      readonly message: string;
      /** The slice that comes next. */
      readonly slice: number;
    }
  | {
      readonly type: "task.ended";
      readonly task: string;
      readonly stage: string;
      readonly index: readonly number[];
      readonly state: TaskEnd;
      readonly outputs?: Readonly<Record<string, Value>>;
      readonly splits?: Readonly<Record<string, SplitSet>>;
      /** The cache entry that it came from, or that it makes. */
      readonly key?: string | null;
      readonly cachedFrom?: { readonly run: string; readonly task: string };
      readonly cause?: FailureCause;
      /** The run goes on from the success of this attempt; the cache has it once it is known how its job ended. */
      readonly provisional?: string;
      /** It failed where the workflow allows for that: the run goes on as if nothing was. */
      readonly tolerated?: true;
      /** It had ended so before this engine took the run over: seen again, not new. */
      readonly replayed?: true;
    }
  /** Nothing more is handed over: what runs may end (`drain`), or is being ended. `why`: what keeps the run from going on. */
  | { readonly type: "run.stopping"; readonly how: "drain" | "cancel"; readonly why: string | null }
  /** Their successes are final: their jobs ended by themselves. */
  | {
      readonly type: "attempts.confirmed";
      readonly attempts: readonly { readonly task: string; readonly attempt: string }[];
    }
  /** A success is none, since its job was ended from outside. What was built on it has to be made again. */
  | { readonly type: "task.revoked"; readonly task: string; readonly stage: string; readonly record: TaskRecord }
  /** The run starts over with what still stands after a success was revoked. */
  | { readonly type: "run.rewound" }
  /** A task that was in doubt stands: its key is what it was. */
  | { readonly type: "task.upheld"; readonly task: string }
  /** A task had ended, or was under way, on what is no longer true. `was`: its end, if the run has told of one. */
  | { readonly type: "task.outdated"; readonly task: string; readonly stage: string; readonly was: TaskEnd | null }
  /** An attempt is given up, since its task is outdated. */
  | { readonly type: "attempt.dropped"; readonly task: string; readonly stage: string; readonly attempt: string }
  /** All tasks have ended; so many jobs have yet to be seen to their ends. */
  | { readonly type: "run.confirming"; readonly successes: number }
  | {
      readonly type: "run.broken";
      readonly node: string;
      readonly code: string;
      readonly message: string;
      readonly where?: string;
      readonly tolerated?: true;
    };

/** What a task is given: an input, or a file of its own code. */
export interface UsedInput {
  readonly name: string;
  readonly value: Resolved;
  readonly split: SplitSet;
  readonly carried: boolean;
  /** What it was cut or put together from, where no task made it as it is. */
  readonly origins: readonly Resolved[];
}

/** How a task ends: `done` and `cached` are good ends. */
export type TaskEnd = "done" | "cached" | "failed" | "skipped" | "cancelled";

/** Why a task failed, or which failure kept it from running. */
export interface FailureCause {
  /** The task that failed first. */
  readonly root: string;
  readonly class?: FailureClass;
  readonly message: string;
  readonly attempt?: string;
}
