import { closeSync, lstatSync, openSync, readSync, rmSync, type Stats } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type ErrorCode, type Manifest, WfError } from "@wf/protocol";
import { OBJECTS, TEMPORARY } from "./object-layout.ts";
import { ObjectStore } from "./object-store.ts";
import { manifestReferences } from "./value-objects.ts";

export interface GarbageOptions {
  /** Counts, and removes nothing. */
  readonly dryRun: boolean;
  /** What is younger stays, needed or not: a running task may just have published it. */
  readonly olderThanMs: number;
}

export interface GarbageReport {
  readonly kept: { readonly objects: number; readonly bytes: number };
  readonly removed: { readonly objects: number; readonly bytes: number };
  /** Not needed, but too young to go. */
  readonly young: { readonly objects: number; readonly bytes: number };
  /** Files that a killed writer left unfinished; they are in `removed` as bytes only. */
  readonly leftovers: number;
}

/**
 * Removes the objects that nothing in `keep` leads to, manifests followed.
 * An object that is published a second time does not become younger, so the caller makes sure that no run is under
 * way which could find an old, unneeded object and build on it.
 */
export async function collectGarbage(
  root: string,
  keep: ReadonlySet<string>,
  options: GarbageOptions,
): Promise<GarbageReport> {
  const needed = reachable(new ObjectStore(root), keep);
  const youngest = Date.now() - options.olderThanMs;
  const kept = { objects: 0, bytes: 0 };
  const removed = { objects: 0, bytes: 0 };
  const young = { objects: 0, bytes: 0 };
  let leftovers = 0;

  for (const shard of await namesIn(join(root, OBJECTS))) {
    for (const name of await namesIn(join(root, OBJECTS, shard))) {
      const path = join(root, OBJECTS, shard, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const tally = needed.has(name) ? kept : isYoung(stat, youngest) ? young : removed;
      if (tally === removed && !options.dryRun) rmSync(path, { recursive: true });
      tally.objects += 1;
      tally.bytes += stat.size;
    }
  }
  for (const name of await namesIn(join(root, TEMPORARY))) {
    const path = join(root, TEMPORARY, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || isYoung(stat, youngest)) continue;
    if (!options.dryRun) rmSync(path, { recursive: true, force: true });
    leftovers += 1;
    removed.bytes += stat.size;
  }
  return { kept, removed, young, leftovers };
}

/** A task may give its output any mtime; ctime says when it was published. */
function isYoung(stat: Stats, youngestMs: number): boolean {
  return Math.max(stat.mtimeMs, stat.ctimeMs) > youngestMs;
}

function reachable(objects: ObjectStore, keep: ReadonlySet<string>): ReadonlySet<string> {
  const needed = new Set(keep);
  const pending = [...keep];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    const manifest = manifestIfOne(objects, hash);
    if (manifest === undefined) continue;
    for (const inner of manifestReferences(manifest)) {
      if (needed.has(inner.hash)) continue;
      needed.add(inner.hash);
      if (inner.isManifest) pending.push(inner.hash);
    }
  }
  return needed;
}

/** A user's file that looks like a manifest is at worst followed, and keeps more than it must. */
function manifestIfOne(objects: ObjectStore, hash: string): Manifest | undefined {
  if (!MANIFEST_STARTS.some((start) => startOf(objects.path(hash)).startsWith(start))) return undefined;
  try {
    return objects.readManifest(hash);
  } catch (error) {
    if (error instanceof WfError && NOT_ONE.has(error.code)) return undefined;
    throw error;
  }
}

const NOT_ONE: ReadonlySet<ErrorCode> = new Set(["WF_STORE_OPEN", "WF_ARTIFACT_INVALID"]);

/** The first key of each kind of manifest in canonical JSON. */
const MANIFEST_STARTS = ['{"entries":', '{"columns":', '{"items":'];

function startOf(path: string): string {
  const bytes = Buffer.alloc(16);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return "";
  try {
    const file = openSync(path, "r");
    try {
      return bytes.toString("latin1", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
