/** The states of a job that an engine must tell apart; each of SLURM's own words leads to one of them. */
export type JobState =
  | "waiting"
  | "running"
  /** Its end is being dealt with, or it will run again: it has not ended. */
  | "changing"
  | "completed"
  | "failed"
  | "cancelled"
  | "timed-out"
  | "out-of-memory"
  | "node-failed"
  | "preempted"
  /** It could not have ended before its deadline, and was not started. */
  | "deadline";

export const FINAL_STATES: ReadonlySet<JobState> = new Set([
  "completed",
  "failed",
  "cancelled",
  "timed-out",
  "out-of-memory",
  "node-failed",
  "preempted",
  "deadline",
]);

const WORDS: readonly (readonly [word: string, state: JobState])[] = [
  ["PENDING", "waiting"],
  ["CONFIGURING", "waiting"],
  ["RESV_DEL_HOLD", "waiting"],
  ["REQUEUE_FED", "waiting"],
  ["REQUEUE_HOLD", "waiting"],
  ["SPECIAL_EXIT", "waiting"],
  ["RUNNING", "running"],
  ["SUSPENDED", "running"],
  ["STOPPED", "running"],
  ["SIGNALING", "running"],
  ["RESIZING", "running"],
  ["STAGE_OUT", "changing"],
  ["COMPLETING", "changing"],
  ["REQUEUED", "changing"],
  ["COMPLETED", "completed"],
  ["FAILED", "failed"],
  ["LAUNCH_FAILED", "failed"],
  ["RECONFIG_FAIL", "failed"],
  ["CANCELLED", "cancelled"],
  ["REVOKED", "cancelled"],
  ["TIMEOUT", "timed-out"],
  ["OUT_OF_MEMORY", "out-of-memory"],
  ["NODE_FAIL", "node-failed"],
  ["BOOT_FAIL", "node-failed"],
  ["PREEMPTED", "preempted"],
  ["DEADLINE", "deadline"],
];

/**
 * By prefix, as there may be more behind the word: `CANCELLED by 1002`, `CANCELLED+`. Null for a word that is not known
 * here: such a job is in no known state, and certainly not at its end.
 */
export function parseJobState(text: string): JobState | null {
  return (
    WORDS.find(([word]) => text === word || (text.startsWith(word) && /^[ +]/.test(text.slice(word.length))))?.[1] ??
    null
  );
}
