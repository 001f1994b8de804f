import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addStage, newRun, runStep, testFolder, testStore } from "./facts.fixture.ts";

test("a query answers with columns and rows, and sees what was written since", () => {
  const store = testStore();
  expect(store.query("SELECT run, workflow FROM run")).toEqual({ columns: ["run", "workflow"], rows: [] });
  const run = store.createRun(newRun());
  expect(store.query("SELECT run, 1 AS x, 2 AS x FROM run")).toEqual({
    columns: ["run", "x", "x"],
    rows: [[run, 1, 2]],
  });
});

test("every view can be read", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "s");
  runStep(journal, { stage: "s", record: { metrics: [{ loss: 1 }], series: [[1, 50, 2e6, 3e6, null, null, null]] } });
  const views = store.query("SELECT name FROM sqlite_master WHERE type = 'view'").rows.map(String);
  expect(views).toEqual(
    expect.arrayContaining(["run", "task", "attempt", "artifact", "metric", "stage_trace", "lineage"]),
  );
  for (const view of views) expect(store.query(`SELECT * FROM ${view}`).columns.length).toBeGreaterThan(2);
  expect(store.query("SELECT seconds, cpu_percent, memory_mb, read_mb, written_mb FROM series_point").rows).toEqual([
    [1, 50, 2, 3, null],
  ]);
  expect(store.query("SELECT peak_memory_mb, wall_seconds, wait_seconds < 0 FROM attempt").rows).toEqual([[50, 10, 1]]);
  expect(store.query("SELECT task, part, text FROM key_part").rows).toEqual([["s", "command", "s"]]);
});

test.each([
  "DELETE FROM runs",
  "INSERT INTO run_counters VALUES ('x', 1)",
  "WITH x AS (SELECT 1) UPDATE runs SET name = 'x' RETURNING name",
  "DROP TABLE runs",
  "CREATE TEMP TABLE t (x)",
  "PRAGMA user_version = 7",
  "PRAGMA journal_mode = DELETE",
  "BEGIN",
  "VACUUM",
  "",
  "-- nothing",
  "SELECT 1; SELECT 2",
  "SELECT 1; DELETE FROM runs",
  "SELEC 1",
  "SELECT * FROM nothing",
  "SELECT no_column FROM run",
])("%j is refused with the names of the views", (sql) => {
  const store = testStore();
  const run = store.createRun(newRun());
  expect(() => store.query(sql)).toThrow(
    expect.objectContaining({ code: "WF_QUERY", hint: expect.stringMatching(/artifact.*lineage.*run.*stage_trace/) }),
  );
  expect(store.query("SELECT run FROM run").rows).toEqual([[run]]);
});

test.each(["ATTACH 'PATH' AS other", "VACUUM INTO 'PATH'"])("%s makes no file", (sql) => {
  const path = join(testFolder(), "other.db");
  const store = testStore();
  expect(() => store.query(sql.replace("PATH", path))).toThrow(expect.objectContaining({ code: "WF_QUERY" }));
  expect(existsSync(path)).toBe(false);
});
