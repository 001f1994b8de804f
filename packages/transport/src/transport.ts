import type { Command, Process, RunCommand, RunResult } from "./command.ts";
import type { ContentFile, MovedObjects } from "./content-file.ts";
import type { Counts } from "./counts.ts";
import type { Entry, Status } from "./file-status.ts";

/**
 * Commands and files of one place: this machine, or another one over ssh.
 *
 * Laws, which the contract suite shows on every transport:
 * - Paths are absolute, and may hold any character but NUL.
 * - What is not there is `undefined`, never an error.
 * - A file that has its name is whole: it was written under another one and renamed.
 * - An aborted call fails with the reason of its signal, and ends what it had started.
 * - Whatever a person can act on is a `WfError`.
 */
export interface Transport {
  /** What messages call the place: `this machine`, `hpc@login.example.org`. */
  readonly name: string;
  /** What this transport has done so far. */
  readonly counts: Counts;

  /** Runs a command to its end. A code other than 0 is a result, not an error. */
  run(command: RunCommand, signal: AbortSignal): Promise<RunResult>;
  /** Starts a command that lives as long as it likes, such as a watcher. An abort ends it. */
  open(command: Command, signal: AbortSignal): Promise<Process>;

  readFile(path: string, signal: AbortSignal): Promise<Buffer | undefined>;
  /** Writes a whole file, and its folders where they are missing. */
  writeFile(file: FileToWrite, signal: AbortSignal): Promise<void>;
  list(folder: string, signal: AbortSignal): Promise<readonly Entry[] | undefined>;
  /** Does not follow a link. */
  stat(path: string, signal: AbortSignal): Promise<Status | undefined>;
  makeFolder(path: string, signal: AbortSignal): Promise<void>;
  /** Removes a file, a link, or a folder with all that it holds. */
  remove(path: string, signal: AbortSignal): Promise<void>;
  /** What was there under the new name is replaced. */
  rename(names: { readonly from: string; readonly to: string }, signal: AbortSignal): Promise<void>;
  symlink(link: { readonly path: string; readonly target: string }, signal: AbortSignal): Promise<void>;
  chmod(path: string, mode: number, signal: AbortSignal): Promise<void>;
  /** The hash of each file that is there, computed where it lies. */
  sha256(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;

  /** One file from here to there. What an earlier try left half is gone on with; the whole is compared by its hash. */
  upload(file: FileToMove, signal: AbortSignal): Promise<void>;
  /** One file from there to here. */
  download(file: FileToMove, signal: AbortSignal): Promise<void>;
  /** Content that goes by its hash: what is there already is not sent again. */
  putObjects(root: string, files: readonly ContentFile[], signal: AbortSignal): Promise<MovedObjects>;
  /** The other way. What is here already is not fetched again. */
  getObjects(root: string, files: readonly ContentFile[], signal: AbortSignal): Promise<MovedObjects>;

  /** Ends the connection and what still runs over it. */
  close(): Promise<void>;
}

export interface FileToWrite {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** Default: 0o644. */
  readonly mode?: number | undefined;
}

export interface FileToMove {
  readonly local: string;
  readonly remote: string;
  /** Default: the mode of the source. */
  readonly mode?: number | undefined;
}
