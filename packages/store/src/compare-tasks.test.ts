import { expect, test } from "vitest";
import { addStage, newRun, runStep, testStore } from "./facts.fixture.ts";
import type { Store } from "./store.ts";

/** Tasks of the stage `s` by name and key, and one of a stage of its own. */
function runOf(store: Store, keys: Readonly<Record<string, string | null>>, stage = "s"): string {
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "first", { position: 0 });
  addStage(journal, stage, { position: 1 });
  runStep(journal, { stage: "first" });
  for (const [task, key] of Object.entries(keys)) {
    journal.taskReady({ task, stage, index: [], key, parts: [], inputs: [] });
    journal.taskEnded({ task, state: "done", outputs: {} });
  }
  journal.taskEnded({ task: "never", state: "skipped", stage, index: [9] });
  return run;
}

test("tasks of one name are the same, differ, cannot be told, or are in one run only", () => {
  const store = testStore();
  const one = runOf(store, { a: "1", b: "1", c: "1", d: null, gone: "1" });
  const two = runOf(store, { a: "1", b: "2", c: "2", d: "1", new: "1", newer: "1" });
  const none = { same: 0, differ: 0, keyless: 0, onlyFirst: 0, onlySecond: 0, example: null };
  expect(store.compareTasks(one, two)).toEqual([
    { ...none, stage: "first", same: 1 },
    { stage: "s", same: 1, differ: 2, keyless: 1, onlyFirst: 1, onlySecond: 2, example: "b" },
  ]);
  expect(store.compareTasks(one, one)).toMatchObject([{ same: 1 }, { same: 4, differ: 0, keyless: 1, onlyFirst: 0 }]);
});

test("stages that only the second run has come last", () => {
  const store = testStore();
  const compared = store.compareTasks(runOf(store, { a: "1" }, "z"), runOf(store, { b: "1" }, "a"));
  expect(compared.map(({ stage, onlyFirst, onlySecond }) => [stage, onlyFirst, onlySecond])).toEqual([
    ["first", 0, 0],
    ["z", 1, 0],
    ["a", 0, 1],
  ]);
});
