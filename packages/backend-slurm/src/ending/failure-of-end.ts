import type { JobExit, JobFailure } from "@wf/backend-cluster";
import type { FailureClass } from "@wf/protocol";
import type { JobEnd } from "./job-end.ts";

/** What a job ends with where it may not run: the launcher (run.py) and, where it cannot be reached, the script. */
export const EXIT_FENCED = 75;
export const EXIT_NO_STORAGE = 76;
const EXIT_DISK_FULL = 77;
export const EXIT_TOLD_TO_END = 78;
/** SLURM's own, where it could not open the job's output or enter its folder. */
const SIGNAL_NOT_LAUNCHED = 53;
const EXIT_NOT_EXECUTABLE = 126;
const EXIT_NOT_FOUND = 127;
const BEFORE_TASKS: ReadonlySet<number> = new Set([EXIT_FENCED, EXIT_NO_STORAGE, EXIT_NOT_EXECUTABLE, EXIT_NOT_FOUND]);
const MEMORY_WORDS = /exceeded (job |step )?memory limit|oom[-_ ]kill|out.of.memory/i;

/**
 * Why an attempt failed that has no record although its job has ended. SLURM's own words stay in the message, and
 * `printed` is the end of what the job itself wrote, which tells of memory where the state does not.
 */
export function failureOfEnd(end: JobEnd, printed: string): JobFailure {
  const failure = (name: FailureClass, why: string): JobFailure => ({ class: name, message: `${why} (${quote(end)})` });
  switch (end.state) {
    case "out-of-memory":
      return failure("out-of-memory", "SLURM ended its job for its memory");
    case "timed-out":
      return failure("time-limit", "SLURM ended its job at the time limit");
    case "preempted":
      return failure("preempted", "its job had to make room for another one");
    case "node-failed":
      return failure("node-failed", "the node of its job went down");
    case "cancelled":
      return failure("cancelled", `its job was cancelled${byWhom(end.words)}`);
    case "deadline":
      return failure("not-started", "its job could not have ended before its deadline");
    case "failed":
      if (MEMORY_WORDS.test(printed) || end.reason === "OutOfMemory") {
        return failure("out-of-memory", "its job was ended for its memory");
      }
      return notStarted(end, printed, failure) ?? failure("lost", "its job ended without a record");
    case "completed":
      return failure("lost", "its job ended well, but left no record");
    case "waiting":
    case "running":
    case "changing":
      return failure("internal", "its job has not ended");
    default:
      end.state satisfies never;
      throw new TypeError(`no such state: ${end.state}`);
  }
}

/** Why a job was told to end, where SLURM's state of it tells; null where it could be anything. */
export function failureOfInterruption(end: JobEnd, printed: string): JobFailure | null {
  return end.state === "failed" || end.state === "completed" ? null : failureOfEnd(end, printed);
}

/** Nobody told it to end, as far as SLURM and the launcher know. */
export function endedByItself(end: JobEnd): boolean {
  return end.state === "completed" || (end.state === "failed" && end.signal === 0 && exitOf(end) === null);
}

/** What its own exit says; null where it says nothing, or SLURM's state of it says more. */
export function exitOf({ state, exitCode, signal, startedAt }: JobEnd): JobExit | null {
  if (exitCode === null) return null;
  if (startedAt === null || signal === SIGNAL_NOT_LAUNCHED) return "without-tasks";
  if (state !== "failed") return null;
  if (signal !== 0) return "killed";
  if (exitCode === EXIT_TOLD_TO_END) return "told-to-end";
  return BEFORE_TASKS.has(exitCode) ? "without-tasks" : null;
}

function notStarted(
  end: JobEnd,
  printed: string,
  failure: (name: FailureClass, why: string) => JobFailure,
): JobFailure | null {
  if (end.reason === "BadConstraints") {
    return failure("not-started", "SLURM has no node on which its job could run");
  }
  if (end.signal === SIGNAL_NOT_LAUNCHED) {
    return failure("not-started", "SLURM could not open the output of its job or enter its folder");
  }
  switch (end.exitCode) {
    case EXIT_FENCED:
      return failure("cancelled", "its job was started after it had been given up");
    case EXIT_NO_STORAGE:
      return failure("node-failed", "the site's storage cannot be written on its node");
    case EXIT_DISK_FULL:
      return failure("disk-full", `the site's storage was full${lastLine(printed)}`);
    case EXIT_TOLD_TO_END:
      return failure("interrupted", "its job was told to end");
    case EXIT_NOT_EXECUTABLE:
    case EXIT_NOT_FOUND:
      return failure("not-started", "its node has no python3 that could run the launcher");
    default:
      return null;
  }
}

/** Empty where there was no room even for that. */
function lastLine(printed: string): string {
  const line = printed.trim().split("\n").at(-1) ?? "";
  return line === "" ? "" : `: ${line}`;
}

function byWhom(words: string): string {
  const user = /^CANCELLED by (\d+)/.exec(words)?.[1];
  return user === undefined ? "" : ` by user ${user}`;
}

/** `FAILED, reason RaisedSignal:9(Killed), exit code 0:9, node c1`. */
function quote({ words, reason, exitCode, signal, nodes }: JobEnd): string {
  return [
    words,
    reason === "" || reason === "None" ? "" : `reason ${reason}`,
    exitCode === null ? "" : `exit code ${exitCode}:${signal}`,
    nodes === "" ? "" : `node ${nodes}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}
