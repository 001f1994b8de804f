import type { ListValue } from "@wf/protocol";
import { expect, test } from "vitest";
import { addStage, file, newRun, rank, record, runStep, sha256, testStore } from "./facts.fixture.ts";
import type { RunJournal } from "./run-journal.ts";
import type { Store } from "./store.ts";

/** A run of one task that makes `content` from the run's input. */
function runOnce(store: Store, content: string): { run: string; key: string } {
  const input = file("input");
  const list: ListValue = {
    kind: "list",
    items: [file(`${content} 1`), { kind: "list", items: [file(`${content} 2`)] }],
  };
  const run = store.createRun(newRun({ inputs: { data: input } }));
  const journal = store.journal(run);
  addStage(journal, "s");
  journal.edge("s", "s");
  journal.event("e", {});
  journal.expanded({ node: "each", path: [], count: 1, source: sha256(`manifest of ${content}`) });
  journal.transferred({ kind: "ingest", source: "a", destination: "b", files: 1, bytes: 1, seconds: 1 });
  store.ask(run, "drain", "me");
  const key = runStep(journal, {
    stage: "s",
    inputs: [
      { name: "data", value: input, split: [], carried: false },
      { name: "list", value: list, split: [], carried: false },
      { name: "part", value: file(`part of ${content}`), split: [], carried: false, origins: [list] },
    ],
    outputs: { out: file(content) },
    record: {
      metrics: [{ loss: 1 }],
      series: [[0, 1, 2, 3, 4, 5, 6]],
      ranks: [rank(0), rank(1)],
      pictures: [{ name: "curve", step: null, path: "curve.png", file: file(`picture of ${content}`) }],
      summary: { classes: 2 },
      warnings: ["metrics line 2: no JSON"],
    },
  });
  journal.attemptQueued({ task: "s", attempt: "s#1", queueJob: "12" });
  sliceOnce(journal, file(`checkpoint of ${content}`));
  journal.runFinished({ status: "succeeded", outputs: { out: file(content) }, metrics: {}, error: null });
  return { run, key };
}

function sliceOnce(journal: RunJournal, checkpoint: ReturnType<typeof file>): void {
  journal.taskReady({ task: "long", stage: "s", index: [], key: null, parts: [], inputs: [] });
  journal.jobSubmitted({ job: "job of long", kind: "compute", tasks: 1, resources: {} });
  journal.attemptSubmitted({ task: "long", attempt: "long#1", job: "job of long", number: 1, slice: 1 });
  const failure = { class: "slice-ended", message: "its time was up" } as const;
  journal.attemptFinished(record({ task: "long", attempt: "long#1", state: "failed", failure, checkpoint }));
}

const tables = (store: Store) =>
  store.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").rows.map(String);
const rowsOf = (store: Store) =>
  Object.fromEntries(tables(store).map((table) => [table, store.query(`SELECT count(*) FROM ${table}`).rows[0]?.[0]]));

test("a deleted run leaves nothing behind but the count of its workflow", () => {
  const store = testStore();
  const { run } = runOnce(store, "x");
  const before = rowsOf(store);
  const untouched = [
    "leases",
    "hash_cache",
    "models",
    "model_versions",
    "model_sightings",
    "model_tags",
    "unconfirmed",
    "doubts",
  ];
  expect(Object.keys(before).filter((table) => before[table] === 0)).toEqual(untouched);
  store.deleteRun(run);
  expect(Object.entries(rowsOf(store)).filter(([, rows]) => rows !== 0)).toEqual([["run_counters", 1]]);
  expect(store.check()).toEqual([]);
});

test("what another run refers to stays", () => {
  const store = testStore();
  const first = runOnce(store, "x");
  const second = runOnce(store, "y");
  const hashes = () => store.referencedContent().map(({ hash }) => hash);
  expect(hashes()).toEqual(expect.arrayContaining(["x", "y", "x 1", "x 2", "part of x", "input"].map(sha256)));
  expect(hashes()).toEqual(expect.arrayContaining([sha256("manifest of x"), sha256("manifest of y")]));
  store.deleteRun(first.run);
  expect(hashes()).toEqual(expect.arrayContaining(["y", "y 1", "y 2", "part of y", "input"].map(sha256)));
  for (const gone of ["x", "x 1", "x 2", "part of x", "manifest of x"]) expect(hashes()).not.toContain(sha256(gone));
  expect(store.runs().map(({ run }) => run)).toEqual([second.run]);
  expect(store.workflow(second.run).source).toBe(newRun().workflow.source);
});

test("a list is no content; its items are", () => {
  const store = testStore();
  runOnce(store, "x");
  const kinds = new Set(store.referencedContent().map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(["expansion", "file"]);
});

test("a cache entry passes to a run that used it, with its metrics, and goes with the last one", () => {
  const store = testStore();
  const { run: first, key } = runOnce(store, "x");
  const second = store.createRun(newRun());
  const journal = store.journal(second);
  addStage(journal, "s");
  const hit = store.cached(key);
  journal.taskReady({ task: "s", stage: "s", index: [], key, parts: [], inputs: [] });
  journal.taskEnded({ task: "s", state: "cached", outputs: hit?.outputs, cachedFrom: { run: first, task: "s" } });
  store.deleteRun(first);
  expect(store.cached(key)).toEqual({ outputs: { out: file("x") }, metrics: { loss: 1 }, run: second, task: "s" });
  expect(store.referencedContent()).toContainEqual({ hash: sha256("x"), kind: "file" });
  store.deleteRun(second);
  expect(store.cached(key)).toBeUndefined();
});
