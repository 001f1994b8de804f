import nativePath, { posix } from "node:path";
import { WfError } from "../errors/wf-error.ts";
import { isPlainName } from "../names/plain-name.ts";

type Join = (...steps: string[]) => string;

/** Where all runs of a storage lie. */
export const RUNS_FOLDER = "runs";
const RECORD = ".json";

/** What lies in the folder of a run, whoever made it. `folders.py` of the launcher says the same for its part. */
export interface RunFolder {
  readonly root: string;
  /** One folder for each attempt. */
  readonly attempts: string;
  attempt(attempt: string): AttemptFolder;
  /** One file for each attempt that has ended. */
  readonly records: string;
  record(attempt: string): string;
  /** One folder for each submission to a scheduler, under its token. */
  readonly submissions: string;
  submission(token: string): SubmissionFolder;
  /** What the run has made, linked or copied to where a person finds it. */
  readonly outputs: string;
  /** What the engine did, one JSON object a line. */
  readonly engineLog: string;
  /** What a run in the background would have printed. */
  readonly consoleLog: string;
  readonly launcherLog: string;
  readonly launcherLock: string;
  /** What a scheduler writes about the run's jobs, where it writes such a log. */
  readonly eventLog: string;
  /** What the engine last knew of the queue, for other processes. */
  readonly queue: string;
  /** On a site: whose run it is. */
  readonly store: string;
}

export interface AttemptFolder {
  readonly root: string;
  readonly sandbox: string;
  /** Of a distributed task the first rank speaks for all; the others have streams of their own. */
  stream(name: "stdout" | "stderr", rank?: number): string;
  readonly pictures: string;
  /** How a person can repeat it. */
  readonly command: string;
  /** Beside what was brought from another machine: where it lies there. */
  readonly place: string;
}

export interface SubmissionFolder {
  readonly root: string;
  /** What the job of that number printed, apart from its tasks. */
  output(index: number): string;
}

/** The folder of a run on this machine. */
export function localRunFolder(storage: string, run: string): RunFolder {
  return runFolder(nativePath.join, storage, run);
}

/** The folder of a run on the storage of a site, which is reached by a transport. */
export function siteRunFolder(storage: string, run: string): RunFolder {
  return runFolder(posix.join, storage, run);
}

/** The attempt whose record bears this file name; undefined for a file that is no record, or not yet a whole one. */
export function attemptOfRecord(file: string): string | undefined {
  if (!file.endsWith(RECORD) || file.startsWith(".") || !isPlainName(file)) return undefined;
  return file.slice(0, -RECORD.length);
}

function runFolder(join: Join, storage: string, run: string): RunFolder {
  const root = join(storage, RUNS_FOLDER, plain(run, "run"));
  const attempts = join(root, "attempts");
  const records = join(root, "records");
  const submissions = join(root, "submissions");
  return {
    root,
    attempts,
    attempt: (attempt) => attemptFolder(join, join(attempts, plain(attempt, "attempt"))),
    records,
    record: (attempt) => join(records, plain(`${attempt}${RECORD}`, "record")),
    submissions,
    submission: (token) => submissionFolder(join, join(submissions, plain(token, "submission"))),
    outputs: join(root, "outputs"),
    engineLog: join(root, "engine.log"),
    consoleLog: join(root, "console.log"),
    launcherLog: join(root, "launcher.log"),
    launcherLock: join(root, "launcher.lock"),
    eventLog: join(root, "condor.log"),
    queue: join(root, "queue.json"),
    store: join(root, "store.json"),
  };
}

function attemptFolder(join: Join, root: string): AttemptFolder {
  return {
    root,
    sandbox: join(root, "sandbox"),
    stream: (name, rank = 0) => (rank === 0 ? join(root, name) : join(root, "ranks", `${rank}.${name}`)),
    pictures: join(root, "pictures"),
    command: join(root, "command.json"),
    place: join(root, "place.json"),
  };
}

function submissionFolder(join: Join, root: string): SubmissionFolder {
  return { root, output: (index) => join(root, "output", `${index}.txt`) };
}

/** Names come from stores, records and command lines: none may lead out of its folder. */
function plain(name: string, what: string): string {
  if (isPlainName(name)) return name;
  throw new WfError("WF_PATH_ESCAPE", `${JSON.stringify(name)} cannot be the folder or file of a ${what}`, {
    hint: "A name is one step of a path, without slashes.",
  });
}
