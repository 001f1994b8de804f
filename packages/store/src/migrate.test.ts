import { readFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { expect, test } from "vitest";
import { addStage, file, newRun, runStep, sha256, testFolder, testStore } from "./facts.fixture.ts";
import { MIGRATIONS, migrate, NEWEST_VERSION, schemaVersion } from "./migrate.ts";
import { Store } from "./store.ts";

/** A store as the first version left it, with a finished run, a failed one and one that was killed. */
function versionOne(): string {
  const folder = testFolder();
  const db = new SQLite(join(folder, "wf.db"));
  db.pragma("synchronous = OFF");
  db.exec(readFileSync(new URL("./migrations/version-1.fixture.sql", import.meta.url), "utf8"));
  expect(schemaVersion(db)).toBe(1);
  db.close();
  return folder;
}

const schemaOf = (store: Store) => store.query("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").rows;

test("a store of version 1 comes up to date and keeps what it knew", () => {
  const folder = versionOne();
  const store = testStore({}, folder);
  expect(store.runs().map(({ run, status, tasks }) => [run, status, tasks.done, tasks.failed])).toEqual([
    ["lung-3-cccc", "running", 0, 0],
    ["lung-2-bbbb", "failed", 0, 1],
    ["lung-1-aaaa", "succeeded", 3, 0],
  ]);
  expect(store.run("lung-1")).toMatchObject({ params: { epochs: 3 }, metrics: { dice: 0.5 }, git: { branch: "main" } });
  expect(store.attempts("lung-2", "train")).toMatchObject([{ state: "failed", failure: { class: "out-of-memory" } }]);
  expect(store.memory("lung-3").openAttempts()).toEqual([{ task: "split", attempt: "split#1", job: "j1", number: 1 }]);
  expect(store.metrics("lung-1").map(({ name, value }) => [name, value])).toEqual([
    ["dice", 0.5],
    ["done", true],
  ]);
  expect(store.task("lung-1", "train").inputs).toMatchObject([
    { name: "all", artifact: { kind: "list", items: 2 } },
    { name: "train", splits: ["train"] },
  ]);
  expect(store.keyOf("lung-1", "train").key?.parts).toEqual([
    { name: "command", hash: sha256("train"), text: "train" },
  ]);
  expect(store.query("SELECT from_task, to_task FROM lineage WHERE run = 'lung-1-aaaa' ORDER BY 1").rows).toEqual([
    ["split", "train"],
    ["train", "evaluate"],
  ]);
  expect(store.check()).toEqual([]);
});

test("a step that was a metric like any other becomes the step of its line", () => {
  const folder = versionOne();
  const db = new SQLite(join(folder, "wf.db"));
  migrate(db, 2);
  const attempt = db.prepare("SELECT max(id) FROM attempts").pluck().get();
  const insert = db.prepare(
    "INSERT INTO metrics (attempt_id, step, name, value, text, recorded_at) VALUES (?,?,?,?,?,0)",
  );
  insert.run(attempt, 7, "step", 100, null);
  insert.run(attempt, 7, "loss", 0.5, null);
  insert.run(attempt, 8, "step", null, "last");
  insert.run(attempt, 8, "loss", 0.25, null);
  db.close();
  const store = testStore({}, folder);
  const points = store.metrics("lung-3").map(({ line, step, name, value }) => [line, step, name, value]);
  expect(points).toEqual([
    [7, 100, "loss", 0.5],
    [8, null, "loss", 0.25],
    [8, null, "step", "last"],
  ]);
  expect(store.query("SELECT step FROM metric WHERE run = 'lung-3-cccc' AND name = 'loss'").rows).toEqual([[100], [8]]);
  expect(store.query("SELECT step, name, value FROM metric WHERE run = 'lung-1-aaaa'").rows).toEqual([
    [0, "dice", 0.5],
    [0, "done", 1],
  ]);
});

test("what a scheduler had said stays; what it was not asked for then is not known", () => {
  const folder = versionOne();
  const db = new SQLite(join(folder, "wf.db"));
  migrate(db, 7);
  db.exec(`INSERT INTO accounts (attempt_id, queue_job, state, nodes, wait_seconds)
    SELECT min(id), '12_3', 'COMPLETED', 'c1', 4 FROM attempts`);
  db.close();
  const { rows } = testStore({}, folder).query("SELECT queue_job, state, nodes, wait_seconds, starts FROM account");
  expect(rows).toEqual([["12_3", "COMPLETED", "c1", 4, null]]);
});

test("an upgraded store has the schema of a new one: no released migration was edited", () => {
  expect(schemaOf(testStore({}, versionOne()))).toEqual(schemaOf(testStore()));
});

test("an upgraded store goes on: numbers, events and the cache", () => {
  const store = testStore({}, versionOne());
  const run = store.createRun(newRun());
  expect(run).toMatch(/^lung-4-/);
  const resumed = store.journal("lung-3");
  resumed.event("resumed", {});
  expect(store.events("lung-3").map(({ seq }) => seq)).toEqual([1, 2]);
  const journal = store.journal(run);
  addStage(journal, "split");
  const key = runStep(journal, { stage: "split", outputs: { train: file("new") } });
  expect(store.cached(key)?.run).toBe(run);
  store.deleteRun("lung-1");
  expect(store.check()).toEqual([]);
});

test("a reader brings an older store up to date first", () => {
  const store = testStore({ readonly: true }, versionOne());
  expect(store.findRun("last")).toBe("lung-3-cccc");
  expect(store.query("SELECT count(*) FROM run").rows).toEqual([[3]]);
});

test("a migration that fails leaves the store at the version that it had", () => {
  const folder = versionOne();
  const db = new SQLite(join(folder, "wf.db"));
  db.exec("CREATE TABLE lineage (in_the_way)");
  expect(() => migrate(db)).toThrow("lineage already exists");
  expect(schemaVersion(db)).toBe(1);
  expect(db.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'view'").pluck().get()).toBe(0);
  db.close();
});

test("opening again changes nothing", () => {
  const folder = testFolder();
  const first = Store.open(folder);
  const schema = schemaOf(first);
  first.close();
  expect(schemaOf(testStore({}, folder))).toEqual(schema);
  expect(NEWEST_VERSION).toBe(MIGRATIONS.length);
});
