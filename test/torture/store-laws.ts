import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { basename, join, relative } from "node:path";
import Database from "better-sqlite3";
import type { StoredAttempt } from "./ledger-laws.ts";

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function sha256Of(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** Law: the outputs of a run are those of an undisturbed one, by hash; there are no others. */
export function brokenOutputs(folder: string, expected: ReadonlyMap<string, string>): readonly string[] {
  const found = new Map(filesBelow(folder).map((file) => [relative(folder, file), sha256Of(file)]));
  const wrong = [...expected].filter(([name, hash]) => found.get(name) !== hash);
  const more = [...found.keys()].filter((name) => !expected.has(name));
  return [
    ...wrong.map(([name]) => `output ${name} is ${found.has(name) ? "another one" : "missing"} in ${folder}`),
    ...more.map((name) => `output ${name} is nobody's in ${folder}`),
  ];
}

/** Laws of a storage, by a look at its files: content is what its name says, and records are whole. */
export function brokenInStorage(storage: string): readonly string[] {
  const objects = filesBelow(join(storage, "objects")).filter((file) => sha256Of(file) !== basename(file));
  const runs = existsSync(join(storage, "runs")) ? readdirSync(join(storage, "runs")) : [];
  // A launcher that was killed may have left one unfinished, under a hidden name that nobody reads.
  const records = runs
    .flatMap((run) => filesBelow(join(storage, "runs", run, "records")))
    .filter((file) => !basename(file).startsWith("."));
  return [
    ...objects.map((file) => `${file} is not what its name says`),
    ...records.filter((file) => !isWholeRecord(file)).map((file) => `${file} is no whole record`),
  ];
}

function isWholeRecord(file: string): boolean {
  try {
    return `${JSON.parse(readFileSync(file, "utf8")).attempt}.json` === basename(file);
  } catch {
    return false;
  }
}

/** What processes that were killed have left: `wf gc` takes it away when it is old enough, which it is from now on. */
export function ageTemporaryFiles(storage: string): readonly string[] {
  const files = filesBelow(join(storage, "tmp"));
  for (const file of files) utimesSync(file, 1, 1);
  return files;
}

export interface StoredRuns {
  readonly attempts: readonly StoredAttempt[];
  readonly broken: readonly string[];
}

/** Laws of the database of a project in which nothing runs. */
export function readStore(file: string): StoredRuns {
  const db = new Database(file, { readonly: true });
  const all = <T>(sql: string) => db.prepare<[], T>(sql).all();
  try {
    const attempts = all<StoredAttempt>("SELECT run, attempt, number, state FROM attempt ORDER BY run, task, number");
    const open = attempts.filter(({ state }) => state !== "succeeded" && state !== "failed");
    const twice = all<{ run: string; task: string }>(
      "SELECT run, task FROM attempt WHERE state = 'succeeded' GROUP BY run, task HAVING count(*) > 1",
    );
    const undone = all<{ run: string; task: string; state: string }>(
      "SELECT run, task, state FROM task WHERE state NOT IN ('done', 'cached')",
    );
    const owned = all<{ pid: number }>("SELECT pid FROM leases");
    return {
      attempts,
      broken: [
        ...open.map(({ run, attempt, state }) => `${run} ${attempt} is ${state} in the store of a run that has ended`),
        ...twice.map(({ run, task }) => `${run} ${task} has succeeded twice`),
        ...undone.map(({ run, task, state }) => `${run} ${task} is ${state} in a run that has succeeded`),
        ...owned.map(({ pid }) => `process ${pid} still owns a run`),
      ],
    };
  } finally {
    db.close();
  }
}
