import { expect, test } from "vitest";
import { addStage, newRun, testStore } from "./facts.fixture.ts";
import type { FinalTaskState } from "./states.ts";
import type { Store } from "./store.ts";

function runTask(
  store: Store,
  task: string,
  key: string | null,
  state: FinalTaskState = "done",
  workflow = "lung",
): string {
  const run = store.createRun(newRun({ workflow: { ...newRun().workflow, name: workflow, hash: workflow } }));
  const journal = store.journal(run);
  addStage(journal, "train");
  const parts = [{ name: "param lr", hash: `hash of ${key}`, text: `${key}` }];
  journal.taskReady({ task, stage: "train", index: [], key, parts, inputs: [] });
  journal.taskEnded({ task, state, outputs: {} });
  return run;
}

test("a task explains itself by the parts of its key, beside the newest earlier result of its name", () => {
  const store = testStore();
  runTask(store, "train[1]", "k1");
  const before = runTask(store, "train[1]", "k2");
  runTask(store, "train[2]", "k3");
  runTask(store, "train[1]", "k4", "failed");
  runTask(store, "train[1]", "k5", "done", "galaxy");
  const run = runTask(store, "train[1]", "k6");
  runTask(store, "train[1]", "k7");
  expect(store.keyOf(run, "train[1]")).toEqual({
    key: { run, task: "train[1]", key: "k6", parts: [{ name: "param lr", hash: "hash of k6", text: "k6" }] },
    earlier: expect.objectContaining({ run: before, task: "train[1]", key: "k2" }),
  });
});

test("without one of its name, the newest result of its stage is compared", () => {
  const store = testStore();
  runTask(store, "train[1]", "k1");
  const before = runTask(store, "train[2]", "k2", "cached");
  const run = runTask(store, "train[9]", "k3");
  expect(store.keyOf(run, "train[9]").earlier).toMatchObject({ run: before, task: "train[2]" });
});

test("the first task ever has nothing to compare with, and one without a key has none", () => {
  const store = testStore();
  const run = runTask(store, "train", null);
  expect(store.keyOf(run, "train")).toEqual({ key: null, earlier: null });
});

test("a task of a run that does not exist yet can be compared as well", () => {
  const store = testStore();
  const run = runTask(store, "train[1]", "k1");
  expect(store.comparable({ workflow: "lung", task: "train[1]", stage: "train" })).toMatchObject({ run, key: "k1" });
  expect(store.comparable({ workflow: "other", task: "train[1]", stage: "train" })).toBeNull();
});
