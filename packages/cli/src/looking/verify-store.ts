import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { manifestReferences, type ObjectStore, objectHashes, QUARANTINE } from "@wf/data";
import { attemptOfRecord, localRunFolder, TaskRecord } from "@wf/protocol";
import type { ContentMaker, Store } from "@wf/store";
import { readDocument } from "@wf/transport";

export interface DamagedContent {
  readonly hash: string;
  /** The tasks that run again, and the inputs that are read again. */
  readonly from: readonly ContentMaker[];
}

export interface VerifyReport {
  /** What is wrong with the database. */
  readonly database: readonly string[];
  readonly objects: {
    readonly checked: number;
    /** Content of the run that lies on a site only, or that `wf gc` has removed. */
    readonly elsewhere: number;
    readonly damaged: readonly DamagedContent[];
  };
  readonly records: { readonly checked: number; readonly damaged: readonly string[] };
}

/**
 * Reads content, database and records. What is damaged goes into quarantine, and is as if it were missing: the next run
 * makes it again. `run`: only what it has read and made; undefined: all that lies in the store.
 */
export async function verifyStore(store: Store, objects: ObjectStore, run: string | undefined): Promise<VerifyReport> {
  const found = run === undefined ? await verifyAll(objects) : await verifyRun(store, objects, run);
  return {
    database: store.checkAll(),
    objects: { ...found, damaged: withMakers(store, objects, found.damaged) },
    records: verifyRecords(store, run === undefined ? store.runs().map((one) => one.run) : [run]),
  };
}

interface Found {
  checked: number;
  elsewhere: number;
  readonly damaged: string[];
}

async function verifyAll(objects: ObjectStore): Promise<Found> {
  const found: Found = { checked: 0, elsewhere: 0, damaged: [] };
  for await (const hash of objectHashes(objects.root)) await verifyOne(objects, hash, found);
  return found;
}

async function verifyRun(store: Store, objects: ObjectStore, run: string): Promise<Found> {
  const found: Found = { checked: 0, elsewhere: 0, damaged: [] };
  const seen = new Set<string>();
  for (const { hash, kind } of store.contentOfRun(run)) {
    if (seen.has(hash)) continue;
    seen.add(hash);
    const isIntact = await verifyOne(objects, hash, found);
    if (!isIntact || !isManifest(kind)) continue;
    for (const inner of manifestReferences(objects.readManifest(hash))) {
      if (seen.has(inner.hash)) continue;
      seen.add(inner.hash);
      await verifyOne(objects, inner.hash, found);
    }
  }
  return found;
}

async function verifyOne(objects: ObjectStore, hash: string, found: Found): Promise<boolean> {
  const state = await objects.verify(hash);
  if (state === "missing") found.elsewhere += 1;
  else found.checked += 1;
  if (state === "damaged") found.damaged.push(hash);
  return state === "intact";
}

/** A file of a directory or dataset was made by who made that. */
export function withMakers(store: Store, objects: ObjectStore, damaged: readonly string[]): DamagedContent[] {
  if (damaged.length === 0) return [];
  const holders = new Map<string, string[]>(damaged.map((hash) => [hash, [hash]]));
  for (const { hash, kind } of store.referencedContent()) {
    if ((kind !== "directory" && kind !== "dataset") || !objects.isIntact(hash, null)) continue;
    for (const inner of manifestReferences(objects.readManifest(hash))) holders.get(inner.hash)?.push(hash);
  }
  return damaged.map((hash) => {
    const from = new Map<string, ContentMaker>();
    for (const holder of holders.get(hash) ?? []) {
      for (const maker of store.makersOf(holder)) from.set(JSON.stringify(maker), maker);
    }
    return { hash, from: [...from.values()] };
  });
}

function isManifest(kind: string): boolean {
  return kind === "directory" || kind === "dataset";
}

/** The store holds the same figures of what has ended; a task that had not ended there runs again. */
function verifyRecords(store: Store, runs: readonly string[]): VerifyReport["records"] {
  const damaged: string[] = [];
  let checked = 0;
  for (const run of runs) {
    const folder = localRunFolder(store.folder, run).records;
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names.filter((one) => attemptOfRecord(one) !== undefined)) {
      checked += 1;
      if (TaskRecord.safeParse(readDocument(join(folder, name))).success) continue;
      const aside = join(store.folder, QUARANTINE, "records", run);
      mkdirSync(aside, { recursive: true });
      renameSync(join(folder, name), join(aside, name));
      damaged.push(`${run}/${name}`);
    }
  }
  return { checked, damaged };
}
