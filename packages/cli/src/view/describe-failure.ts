import type { FailureClass } from "@wf/protocol";

export interface FailureFacts {
  readonly class: FailureClass | undefined;
  readonly message: string;
  readonly exitCode: number | null;
  /** The process of a distributed task that failed first. */
  readonly rank?: number | undefined;
}

/** Why, for a headline: `exit code 1`, `out of memory: killed at 4000 of 4096 bytes`. */
export function describeFailure(failure: FailureFacts): string {
  const isOfRank = failure.rank !== undefined;
  if (failure.class === "exit" && failure.exitCode !== null && !isOfRank) return `exit code ${failure.exitCode}`;
  if (failure.class === undefined || isSaidByMessage(failure.class)) return failure.message;
  return `${WORDS[failure.class]}: ${failure.message}`;
}

/** Why, in two or three words, for a line about something else: `exit 1`, `out of memory`. */
export function nameFailure(failure: FailureFacts): string {
  if (failure.class === "exit" && failure.exitCode !== null) return `exit ${failure.exitCode}`;
  return failure.class === undefined ? failure.message : WORDS[failure.class];
}

const WORDS: Readonly<Record<FailureClass, string>> = {
  exit: "non-zero exit",
  signal: "ended by a signal",
  "out-of-memory": "out of memory",
  "time-limit": "time limit",
  "slice-ended": "slice ended",
  cancelled: "cancelled",
  "stage-in": "input not staged",
  "input-changed": "input changed",
  "output-missing": "output missing",
  "output-invalid": "output invalid",
  "disk-full": "disk full",
  "not-reached": "not reached",
  "not-started": "not started",
  interrupted: "interrupted",
  preempted: "preempted",
  "node-failed": "node failed",
  lost: "lost",
  internal: "bug in the launcher",
};

/** Where the message alone tells the class, it is not said twice. */
function isSaidByMessage(failure: FailureClass): boolean {
  return failure === "exit" || failure === "signal" || failure === "not-started";
}
