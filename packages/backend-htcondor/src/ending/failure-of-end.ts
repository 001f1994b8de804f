import type { JobExit, JobFailure } from "@wf/backend-cluster";
import type { FailureClass } from "@wf/protocol";
import type { Hold } from "../parsing/pool-event.ts";
import { classifyHold } from "./classify-hold.ts";
import type { JobEnd } from "./job-end.ts";

/** What a job ends with where it may not run: the launcher (run.py) and, where it cannot be reached, the script. */
const EXIT_FENCED = 75;
const EXIT_NO_STORAGE = 76;
const EXIT_DISK_FULL = 77;
const EXIT_TOLD_TO_END = 78;
const EXIT_NOT_EXECUTABLE = 126;
const EXIT_NOT_FOUND = 127;
const BEFORE_TASKS: ReadonlySet<number | null> = new Set([
  EXIT_FENCED,
  EXIT_NO_STORAGE,
  EXIT_NOT_EXECUTABLE,
  EXIT_NOT_FOUND,
]);
/** The code of a hold. */
const CANNOT_EXECUTE = 6;
/** The folder of a submission, which is there where the storage is. */
const NO_FOLDER_WORDS = /cannot access initial working directory/i;
const PRIVATE_WORDS = /permission denied/i;
const PRIVATE = "the user who runs its job may not use the storage of the site: name a folder of theirs in sites.yaml";
const MEMORY_WORDS = /oom[-_ ]kill|out.of.memory|memory limit/i;

/**
 * Why an attempt failed that has no record although its job has ended. HTCondor's own words stay in the message, and
 * `printed` is the end of what the job itself wrote.
 */
export function failureOfEnd(end: JobEnd, printed: string): JobFailure {
  const failure = (name: FailureClass, why: string): JobFailure => ({ class: name, message: `${why} (${quote(end)})` });
  switch (end.how) {
    case "terminated":
      return failureOfExit(end, printed, failure);
    case "removed":
      return failure("cancelled", "its job was removed");
    case "evicted":
      return end.isNodeLost
        ? failure("node-failed", "the machine of its job went away")
        : failure("preempted", "its job had to leave its machine");
    case "held":
      return failureOfHold(end, failure);
    case "unknown":
      return failure("lost", "its job is gone without a record");
    default:
      end satisfies never;
      throw new TypeError("no such end");
  }
}

/** What its own exit says; null where it says nothing, or HTCondor says more. */
export function exitOf(end: JobEnd): JobExit | null {
  if (end.how !== "terminated") return null;
  if (end.signal !== null) return "killed";
  if (end.exitCode === EXIT_TOLD_TO_END) return "told-to-end";
  return BEFORE_TASKS.has(end.exitCode) ? "without-tasks" : null;
}

type Failure = (name: FailureClass, why: string) => JobFailure;

function failureOfExit(end: JobEnd & { how: "terminated" }, printed: string, failure: Failure): JobFailure {
  if (end.signal !== null) {
    return MEMORY_WORDS.test(printed)
      ? failure("out-of-memory", "its job was ended for its memory")
      : failure("lost", "its job was killed before it left a record");
  }
  switch (end.exitCode) {
    case EXIT_FENCED:
      return failure("cancelled", "its job was started after it had been given up");
    case EXIT_NO_STORAGE:
      return failure("node-failed", "the site's storage cannot be used on its machine");
    case EXIT_DISK_FULL:
      return failure("disk-full", "the site's storage was full");
    case EXIT_TOLD_TO_END:
      return failure("interrupted", "its job was told to end");
    case EXIT_NOT_EXECUTABLE:
    case EXIT_NOT_FOUND:
      return failure("not-started", "its machine has no python3 that could run the launcher");
    case 0:
      return failure("lost", "its job ended well, but left no record");
    default:
      return failure("lost", "its job ended without a record");
  }
}

function failureOfHold(end: JobEnd & { how: "held" }, failure: Failure): JobFailure {
  const held = classifyHold(end.hold);
  switch (held) {
    case "memory":
      return failure("out-of-memory", "HTCondor held its job for its memory");
    case "not-started":
      return failure("not-started", whyNotStarted(end.hold));
    case "input":
      return failure("stage-in", "its inputs could not be sent to its machine");
    case "output":
      return PRIVATE_WORDS.test(end.hold.reason)
        ? failure("lost", `what it left could not be fetched from its machine: ${PRIVATE}`)
        : failure("lost", "what it left could not be fetched from its machine");
    case "by-hand":
      return failure("cancelled", "its job was held by hand");
    case "policy":
    case "spooling":
    case "other":
      return failure("interrupted", "HTCondor held its job");
    default:
      held satisfies never;
      throw new TypeError(`no such class: ${held}`);
  }
}

/** What a job opens before it starts lies in the storage, but for the program that it executes. */
function whyNotStarted({ code, reason }: Hold): string {
  const isFolder = NO_FOLDER_WORDS.test(reason);
  if (PRIVATE_WORDS.test(reason) && (isFolder || code !== CANNOT_EXECUTE)) return PRIVATE;
  return isFolder
    ? 'its machine does not see the storage of the site; with "placement: transfer" it need not'
    : "its job could not be started";
}

/** `exit code 5, slot1_1@c7`. */
function quote(end: JobEnd): string {
  return [inWords(end), end.slot ?? ""].filter((part) => part !== "").join(", ");
}

function inWords(end: JobEnd): string {
  switch (end.how) {
    case "terminated":
      return end.signal === null ? `exit code ${end.exitCode ?? "unknown"}` : `signal ${end.signal}`;
    case "removed":
    case "evicted":
      return end.reason === "" ? end.how : end.reason;
    case "held":
      return `${end.hold.reason} [hold ${end.hold.code}.${end.hold.subcode}]`;
    case "unknown":
      return "neither the queue nor the history knows it";
    default:
      end satisfies never;
      throw new TypeError("no such end");
  }
}
