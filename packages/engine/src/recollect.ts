import type { KnownResult } from "@wf/planner";
import type { FailureCause, TaskEnd } from "./fact.ts";
import type { Memory } from "./ports.ts";

/** What a run already knows of a task that it comes to. */
export type Recollection =
  /** `isUpheld`: it was in doubt, and what is under way for it, or was left by an earlier try, is still wanted. */
  | { readonly type: "nothing"; readonly isUpheld: boolean }
  | { readonly type: "result"; readonly result: KnownResult; readonly isUpheld: boolean }
  | { readonly type: "failure"; readonly cause: FailureCause; readonly isUpheld: boolean }
  /** It had ended, or was under way, on what is no longer true. */
  | { readonly type: "outdated"; readonly was: TaskEnd | null };

export interface Question {
  readonly task: string;
  /** A failure of it is an end that stays. */
  readonly canRecallFailure: boolean;
  /** Made only where the task is in doubt. */
  key(): string | null;
}

/** Law: what was built on a revoked success counts only if it would be built in the same way now. */
export function recollect(memory: Memory, hasDoubts: boolean, { task, canRecallFailure, key }: Question): Recollection {
  const doubt = hasDoubts ? memory.doubtOf(task) : undefined;
  if (doubt !== undefined && (doubt.key === null || doubt.key !== key())) return { type: "outdated", was: doubt.was };
  const isUpheld = doubt !== undefined;
  const result = memory.recall(task);
  if (result) return { type: "result", result, isUpheld };
  const cause = canRecallFailure ? memory.failureOf(task) : undefined;
  if (cause) return { type: "failure", cause, isUpheld };
  return { type: "nothing", isUpheld };
}
