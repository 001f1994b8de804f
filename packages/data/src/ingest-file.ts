import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { type FileStamp, isSameStamp, stampOf } from "./hash-cache.ts";
import { keepExisting, publishBytes, publishFile, temporaryPath, withFolder } from "./object-layout.ts";
import { sha256 } from "./sha256.ts";

/**
 * Takes one of the user's files into the store. What is hashed is what is stored: a small file is read once into
 * memory, a large one is copied first (as a reflink where the file system can) and the copy is hashed.
 * This file is loaded by worker threads, so it stands on Node alone.
 */
export interface IngestJob {
  readonly stamp: FileStamp;
  readonly executable: boolean;
}

/** Whose fault it is: the user's file cannot be read, or the store cannot be written. */
type Side = "source" | "store";

export type IngestResult =
  | { readonly is: "stored"; readonly hash: string; readonly job: IngestJob; readonly hashedAtMs: number }
  | { readonly is: "changing"; readonly path: string }
  | {
      readonly is: "failed";
      readonly path: string;
      readonly side: Side;
      readonly errno: string;
      readonly message: string;
    };

const IN_MEMORY_BYTES = 1 << 20;
const READ_BYTES = 1 << 20;
const TRIES = 4;
const PAUSE_MS = 100;

/** Ends at the first file that cannot be stored; that is then the last result. */
export function ingestBatch(root: string, jobs: readonly IngestJob[]): readonly IngestResult[] {
  const results: IngestResult[] = [];
  for (const job of jobs) {
    const result = ingestFile(root, job);
    results.push(result);
    if (result.is !== "stored") break;
  }
  return results;
}

function ingestFile(root: string, first: IngestJob): IngestResult {
  const { path } = first.stamp;
  try {
    let job = first;
    for (let tried = 1; tried <= TRIES; tried += 1) {
      const hashedAtMs = Date.now();
      const hash = job.stamp.size <= IN_MEMORY_BYTES ? throughMemory(root, job) : throughCopy(root, job);
      const after = blame("source", () => jobOf(path));
      if (hash !== undefined && isSameStamp(job.stamp, after.stamp)) return { is: "stored", hash, job, hashedAtMs };
      pause();
      job = blame("source", () => jobOf(path));
    }
    return { is: "changing", path };
  } catch (error) {
    if (!(error instanceof Blamed)) throw error;
    return { is: "failed", path, side: error.side, errno: error.cause.code ?? "", message: error.cause.message };
  }
}

/** Undefined if the file has another size than a moment ago. */
function throughMemory(root: string, job: IngestJob): string | undefined {
  const bytes = blame("source", () => readFileSync(job.stamp.path));
  if (bytes.byteLength !== job.stamp.size) return undefined;
  const hash = sha256(bytes);
  blame("store", () => {
    if (!keepExisting(root, hash, bytes.byteLength, job.executable)) publishBytes(root, hash, bytes, job.executable);
  });
  return hash;
}

function throughCopy(root: string, job: IngestJob): string | undefined {
  const source = job.stamp.path;
  const temporary = temporaryPath(root);
  try {
    const copy = () => withFolder(temporary, () => copyFileSync(source, temporary, constants.COPYFILE_FICLONE));
    blame((errno) => (STORE_ERRNOS.has(errno) && canOpen(source) ? "store" : "source"), copy);
    return blame("store", () => {
      const { hash, size } = hashFile(temporary);
      if (size !== job.stamp.size) return undefined;
      publishFile(root, hash, size, temporary, job.executable);
      return hash;
    });
  } finally {
    rmSync(temporary, { force: true });
  }
}

function hashFile(path: string): { hash: string; size: number } {
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const file = openSync(path, "r");
  try {
    let size = 0;
    for (;;) {
      const read = readSync(file, buffer, 0, READ_BYTES, null);
      if (read === 0) return { hash: digest.digest("hex"), size };
      digest.update(buffer.subarray(0, read));
      size += read;
    }
  } finally {
    closeSync(file);
  }
}

function jobOf(path: string): IngestJob {
  return ingestJob(path, statSync(path, { bigint: true }));
}

export function ingestJob(path: string, stat: BigIntStats): IngestJob {
  return { stamp: stampOf(path, stat), executable: (stat.mode & 0o100n) !== 0n };
}

class Blamed extends Error {
  readonly side: Side;
  override readonly cause: NodeJS.ErrnoException;

  constructor(side: Side, cause: NodeJS.ErrnoException) {
    super(cause.message);
    this.side = side;
    this.cause = cause;
  }
}

function blame<T>(side: Side | ((errno: string) => Side), act: () => T): T {
  try {
    return act();
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    throw new Blamed(typeof side === "string" ? side : side(cause.code ?? ""), cause);
  }
}

/** A failed copy names both files; these errors are the store's when the source can be opened. */
const STORE_ERRNOS: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

function canOpen(path: string): boolean {
  try {
    closeSync(openSync(path, "r"));
    return true;
  } catch {
    return false;
  }
}

/** Whoever writes the file may be about to finish. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
