import { execFileSync } from "node:child_process";
import { type Dirent, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { collectGarbage } from "@wf/data";
import { RUNS_FOLDER, WfError } from "@wf/protocol";
import type { RunSummary, Store } from "@wf/store";
import { isUnderWay, runState, type ShownStatus } from "./run-state.ts";

export interface CollectionWish {
  /** Only runs that ended longer ago. Undefined: age does not matter. */
  readonly olderThanSeconds: number | undefined;
  /** So many of the newest runs of each workflow stay, whatever their age. Undefined: their number does not matter. */
  readonly keep: number | undefined;
  readonly isDryRun: boolean;
}

export interface Tally {
  readonly count: number;
  readonly bytes: number;
}

export interface CollectionReport {
  readonly isDryRun: boolean;
  readonly runs: readonly { readonly run: string; readonly status: ShownStatus; readonly ageSeconds: number }[];
  readonly objects: Tally;
  /** Folders of runs: logs, kept sandboxes, records, and outputs that nobody put elsewhere. */
  readonly folders: Tally;
  readonly young: Tally;
  readonly keptRuns: number;
  /** Versions of models: their content stays whatever becomes of their runs. */
  readonly keptModels: number;
  readonly keptObjects: Tally;
}

/** A launcher may outlive its engine by the last tasks that it started: what is younger stays. */
const YOUNG_MS = 60 * 60 * 1000;

/** What goes, and what is left of the store then. */
export interface Collection {
  readonly isDryRun: boolean;
  readonly gone: readonly KnownRun[];
  readonly keptRuns: ReadonlySet<string>;
  /** Hashes; what manifests among them lead to is needed as well. */
  readonly needed: ReadonlySet<string>;
  /** What is younger stays, needed or not. */
  readonly youngMs: number;
}

/**
 * Deletes the runs that are wished away. Content and folders are left to those who know where they lie, and who hold
 * the store until then.
 */
export function deleteRuns(store: Store, wish: CollectionWish): Collection {
  claimContent(store);
  const now = Date.now() / 1000;
  const runs = knownRuns(store);
  const gone = runsToDelete(runs, wish, now);
  const without = gone.map(({ run }) => run);
  const needed = store.referencedContent({ without });
  const keptRuns = new Set(runs.map(({ run }) => run).filter((run) => !without.includes(run)));
  const unfinished = runs.filter(({ run, status }) => keptRuns.has(run) && status === "interrupted");
  const oldestUnfinished = Math.min(now, ...unfinished.map(({ createdAt }) => createdAt));
  if (!wish.isDryRun) for (const run of without) store.deleteRun(run);
  return {
    isDryRun: wish.isDryRun,
    gone,
    keptRuns,
    needed: new Set(needed.map(({ hash }) => hash)),
    youngMs: Math.max(YOUNG_MS, (now - oldestUnfinished) * 1000),
  };
}

/** Removes the content and the folders here that no run needs any more. */
export async function collectHere(
  store: Store,
  { isDryRun, gone, keptRuns, needed, youngMs }: Collection,
): Promise<CollectionReport> {
  const now = Date.now() / 1000;
  const garbage = await collectGarbage(store.folder, needed, { dryRun: isDryRun, olderThanMs: youngMs });
  return {
    isDryRun,
    runs: gone.map(({ run, status, ...times }) => ({ run, status, ageSeconds: now - endOf(times) })),
    objects: tally(garbage.removed),
    folders: removeFolders(join(store.folder, RUNS_FOLDER), keptRuns, isDryRun),
    young: tally(garbage.young),
    keptRuns: keptRuns.size,
    keptModels: store.models().length,
    keptObjects: tally(garbage.kept),
  };
}

type KnownRun = Omit<RunSummary, "status"> & { readonly status: ShownStatus };

function knownRuns(store: Store): KnownRun[] {
  return store.runs().map((run) => ({ ...run, ...runState(store, run.run, run.status) }));
}

/**
 * Law: while something is removed, no run is under way or starts, and no launcher has tasks: each may need what no run
 * refers to yet. The store is this process's own until it is closed.
 */
export function claimContent(store: Store): void {
  const isClaimed = store.claimContent();
  const running = knownRuns(store)
    .filter(({ status }) => isUnderWay(status))
    .map(({ run }) => run);
  if (isClaimed && running.length === 0) return;
  const [one] = running;
  throw new WfError(
    "WF_RUN_OWNED",
    `nothing was removed: ${one === undefined ? "a run is starting, or tasks of one that was killed are ending," : `${running.join(", ")} still runs,`} and may need what no run refers to yet`,
    { hint: one === undefined ? "try again in a moment" : `wait for it with: wf status ${one} --follow` },
  );
}

/** Newest first. A run that was interrupted can be resumed: it goes only when its age is named. */
function runsToDelete(runs: readonly KnownRun[], { olderThanSeconds, keep }: CollectionWish, now: number): KnownRun[] {
  if (olderThanSeconds === undefined && keep === undefined) return [];
  const seen = new Map<string, number>();
  return runs.filter((run) => {
    const newer = seen.get(run.workflow) ?? 0;
    seen.set(run.workflow, newer + 1);
    if (newer < (keep ?? 0)) return false;
    if (olderThanSeconds === undefined) return run.status !== "interrupted";
    return now - endOf(run) >= olderThanSeconds;
  });
}

function endOf(run: Pick<KnownRun, "createdAt" | "startedAt" | "finishedAt">): number {
  return run.finishedAt ?? run.startedAt ?? run.createdAt;
}

function tally({ objects, bytes }: { readonly objects: number; readonly bytes: number }): Tally {
  return { count: objects, bytes };
}

function removeFolders(root: string, keptRuns: ReadonlySet<string>, isDryRun: boolean): Tally {
  const names = existsSync(root) ? readdirSync(root) : [];
  const gone = names.filter((name) => !keptRuns.has(name)).map((name) => join(root, name));
  const bytes = gone.reduce((sum, folder) => sum + sizeOf(folder), 0);
  if (!isDryRun) for (const folder of gone) removeFolder(folder);
  return { count: gone.length, bytes };
}

/** A task may have left folders that lie deeper than Node follows them; `rm` goes step by step. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    const isTooDeep = error instanceof RangeError || (error as NodeJS.ErrnoException).code === "ENAMETOOLONG";
    if (!isTooDeep) throw error;
    execFileSync("rm", ["-rf", "--", folder]);
  }
}

/** What a sandbox links to is counted where it is linked from last: with the objects. */
function sizeOf(folder: string): number {
  let bytes = 0;
  const open = [folder];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const entry of entriesOf(place)) {
      const inner = join(place, entry.name);
      if (entry.isDirectory()) open.push(inner);
      const stat = entry.isFile() ? statSync(inner, { throwIfNoEntry: false }) : undefined;
      bytes += stat === undefined || stat.nlink > 1 ? 0 : stat.size;
    }
  }
  return bytes;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENAMETOOLONG") return [];
    throw error;
  }
}
