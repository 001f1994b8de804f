import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { CHUNK_BYTES, cannotClone, hasHoles, isHole } from "@wf/transport/sparse";
import { type FileStamp, isSameStamp, stampOf } from "./hash-cache.ts";
import { keepExisting, publishBytes, publishFile, temporaryPath, withFolder } from "./object-layout.ts";
import type { Inspection } from "./seals.ts";
import { sha256 } from "./sha256.ts";

/**
 * Takes one of the user's files into the store. What is hashed is what is stored: a small file is read once into
 * memory, a large one is copied first (as a reflink where the file system can) and the copy is hashed.
 * This file is loaded by worker threads, so it stands on Node and on what does so itself.
 */
export interface IngestJob {
  readonly stamp: FileStamp;
  readonly executable: boolean;
}

/** Whose fault it is: the user's file cannot be read, or the store cannot be written. */
type Side = "source" | "store";

interface Stored {
  readonly hash: string;
  /** What was under that hash before. */
  readonly found: Inspection;
}

export type IngestResult =
  | (Stored & { readonly is: "stored"; readonly job: IngestJob; readonly hashedAtMs: number })
  | { readonly is: "changing"; readonly path: string }
  | {
      readonly is: "failed";
      readonly path: string;
      readonly side: Side;
      readonly errno: string;
      readonly message: string;
    };

const IN_MEMORY_BYTES = 1 << 20;
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
      const stored = job.stamp.size <= IN_MEMORY_BYTES ? throughMemory(root, job) : throughCopy(root, job);
      const after = blame("source", () => jobOf(path));
      if (stored !== undefined && isSameStamp(job.stamp, after.stamp))
        return { is: "stored", ...stored, job, hashedAtMs };
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
function throughMemory(root: string, job: IngestJob): Stored | undefined {
  const bytes = blame("source", () => readFileSync(job.stamp.path));
  if (bytes.byteLength !== job.stamp.size) return undefined;
  const hash = sha256(bytes);
  return blame("store", () => {
    const found = keepExisting(root, hash, bytes.byteLength, job.executable);
    if (found !== "intact") publishBytes(root, hash, bytes, job.executable);
    return { hash, found };
  });
}

function throughCopy(root: string, job: IngestJob): Stored | undefined {
  const source = job.stamp.path;
  const temporary = temporaryPath(root);
  try {
    const copy = () => withFolder(temporary, () => copyWithHoles(source, temporary));
    blame((errno) => (STORE_ERRNOS.has(errno) && canOpen(source) ? "store" : "source"), copy);
    return blame("store", () => {
      const { hash, size } = hashFile(temporary);
      if (size !== job.stamp.size) return undefined;
      const found = keepExisting(root, hash, size, job.executable);
      if (found !== "intact") publishFile(root, hash, temporary, job.executable);
      return { hash, found };
    });
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** As a clone where the file system can; a file with holes keeps them, and takes no more room than it did. */
function copyWithHoles(from: string, to: string): void {
  if (!hasHoles(statSync(from))) {
    copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    return;
  }
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
  } catch (error) {
    if (!cannotClone(error)) throw error;
    copyAroundHoles(from, to);
  }
}

function copyAroundHoles(from: string, to: string): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const reader = openSync(from, "r");
  try {
    const writer = openSync(to, "wx");
    try {
      let position = 0;
      for (let count = readSync(reader, chunk); count > 0; count = readSync(reader, chunk)) {
        const data = chunk.subarray(0, count);
        for (let done = isHole(data) ? count : 0; done < count; ) {
          done += writeSync(writer, data, done, count - done, position + done);
        }
        position += count;
      }
      ftruncateSync(writer, position);
    } finally {
      closeSync(writer);
    }
  } finally {
    closeSync(reader);
  }
}

function hashFile(path: string): { hash: string; size: number } {
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const file = openSync(path, "r");
  try {
    let size = 0;
    for (;;) {
      const read = readSync(file, buffer, 0, CHUNK_BYTES, null);
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
