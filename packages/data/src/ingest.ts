import { type BigIntStats, statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WfError } from "@wf/protocol";
import { type HashCache, isSettled } from "./hash-cache.ts";
import { type IngestJob, type IngestResult, ingestJob } from "./ingest-file.ts";
import { ingestFiles } from "./ingest-pool.ts";
import { unreadable, unreadableError } from "./input-failure.ts";
import { keepExisting } from "./object-layout.ts";
import type { ObjectStore } from "./object-store.ts";
import { writeFailure } from "./write-failure.ts";

export interface StoredFile {
  readonly hash: string;
  readonly size: number;
  readonly executable: boolean;
}

const FILES_A_TURN = 1000;

/**
 * Takes the user's files (absolute paths) into the store and says what they are, in the same order.
 * A file whose hash is known and whose object is there is not read again.
 */
export async function ingest(
  objects: ObjectStore,
  hashes: HashCache,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly StoredFile[]> {
  const stored: StoredFile[] = [];
  const unknown: { readonly index: number; readonly job: IngestJob }[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % FILES_A_TURN === FILES_A_TURN - 1) {
      await nextTurn();
      signal?.throwIfAborted();
    }
    const job = ingestJob(path, statRegular(path));
    const hash = hashes.get(job.stamp);
    const found = hash && keepExisting(objects.root, hash, job.stamp.size, job.executable);
    if (hash && found === "damaged") objects.tellDamaged(hash);
    if (hash && found === "intact") stored[index] = storedAs(hash, job);
    else unknown.push({ index, job });
  }

  const results = await ingestFiles(
    objects.root,
    unknown.map(({ job }) => job),
    signal,
  );
  remember(hashes, results);
  for (const [at, result] of results.entries()) {
    if (result.is !== "stored") throw failure(objects.root, result);
    if (result.found === "damaged") objects.tellDamaged(result.hash);
    stored[unknown[at]?.index as number] = storedAs(result.hash, result.job);
  }
  return stored;
}

/** What was read before a failure is known too, so that the next try starts there. */
function remember(hashes: HashCache, results: readonly IngestResult[]): void {
  const found = results
    .filter((result) => result.is === "stored")
    .filter(({ job, hashedAtMs }) => isSettled(job.stamp, hashedAtMs))
    .map(({ job, hash }) => ({ stamp: job.stamp, hash }));
  if (found.length > 0) hashes.put(found);
}

function storedAs(hash: string, job: IngestJob): StoredFile {
  return { hash, size: job.stamp.size, executable: job.executable };
}

/** Opening a pipe or a device could wait for ever, so anything but a regular file is refused unopened. */
function statRegular(path: string): BigIntStats {
  let stat: BigIntStats;
  try {
    stat = statSync(path, { bigint: true });
  } catch (error) {
    throw unreadableError(path, error);
  }
  if (!stat.isFile()) {
    throw unreadable(
      path,
      "",
      stat.isDirectory() ? "it is a folder, and a file is wanted" : "it is not a regular file",
    );
  }
  return stat;
}

function failure(root: string, result: Exclude<IngestResult, { is: "stored" }>): unknown {
  if (result.is === "changing") {
    return new WfError("WF_INPUT_UNREADABLE", `${JSON.stringify(result.path)} changes while it is read`, {
      where: result.path,
      hint: "Wait until the program that writes it has ended, then start again.",
    });
  }
  if (result.side === "source") return unreadable(result.path, result.errno, result.message);
  return writeFailure(Object.assign(new Error(result.message), { code: result.errno }), "store", root);
}
