import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { MemoryHashCache } from "./hash-cache.ts";
import { ingest } from "./ingest.ts";
import { ingestBatch, ingestJob } from "./ingest-file.ts";
import { ObjectStore } from "./object-store.ts";
import { sha256 } from "./sha256.ts";

const top = mkdtempSync(join(tmpdir(), "wf-ingest-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let folder: string;
let objects: ObjectStore;
beforeEach(() => {
  folder = mkdtempSync(join(top, "case-"));
  objects = new ObjectStore(join(folder, "store"));
});

const FILES = 50;
const PATHS = 3000;

/** Enough that threads are used, few enough to write quickly: the same files again and again. */
function manyPaths(): readonly string[] {
  mkdirSync(join(folder, "data"));
  for (let index = 0; index < FILES; index += 1) writeFileSync(join(folder, "data", String(index)), `content ${index}`);
  return Array.from({ length: PATHS }, (_, index) => join(folder, "data", String(index % FILES)));
}

it("hashes many files in threads, and answers in the order that was asked", async () => {
  const stored = await ingest(objects, new MemoryHashCache(), manyPaths(), undefined);
  expect(stored.map(({ hash }) => hash)).toEqual(
    Array.from({ length: PATHS }, (_, index) => sha256(`content ${index % FILES}`)),
  );
  expect(stored.every(({ hash }) => objects.has(hash))).toBe(true);
  expect(readdirSync(join(objects.root, "tmp"))).toEqual([]);
});

it("stops at a file that a thread cannot store, and says which folder is to blame", async () => {
  const paths = manyPaths();
  writeFileSync(objects.root, "a file where the store should be");
  await expect(ingest(objects, new MemoryHashCache(), paths, undefined)).rejects.toMatchObject({
    code: "WF_STORE_OPEN",
    where: objects.root,
  });
});

it("ends its threads when it is aborted", async () => {
  const paths = manyPaths();
  const stop = new AbortController();
  const done = ingest(objects, new MemoryHashCache(), paths, stop.signal);
  setImmediate(() => stop.abort());
  await expect(done).rejects.toMatchObject({ name: "AbortError" });
});

it("refuses a file that changes while it is read", async () => {
  const path = join(folder, "growing");
  // Large enough that the writer has many turns while it is read, however busy the machine is.
  writeFileSync(path, "");
  truncateSync(path, 64 << 20);
  const writer = spawn("sh", ["-c", 'echo ready; while :; do echo more >> "$1"; done', "sh", path], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    await once(writer.stdout, "data");
    await expect(ingest(objects, new MemoryHashCache(), [path], undefined)).rejects.toMatchObject({
      code: "WF_INPUT_UNREADABLE",
      message: expect.stringContaining("changes while it is read"),
    });
  } finally {
    writer.kill("SIGKILL");
    await once(writer, "exit");
  }
});

it("reads a file again that has changed since it was listed", () => {
  const path = join(folder, "settled");
  writeFileSync(path, "before");
  const listed = ingestJob(path, statSync(path, { bigint: true }));
  writeFileSync(path, "and after");
  const [result] = ingestBatch(objects.root, [listed]);
  expect(result).toMatchObject({ is: "stored", hash: sha256("and after"), job: { stamp: { size: 9 } } });
});
