import type { TaskRecord } from "@wf/protocol";
import { expect, test } from "vitest";
import { addStage, file, newRun, record, testStore } from "./facts.fixture.ts";

/** A run with a resumable task, which slices can be told of. */
function longTask() {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "train");
  journal.taskReady({ task: "train", stage: "train", index: [], key: "k", parts: [], inputs: [] });
  const slice = (number: number, slice: number, changes: Partial<TaskRecord>) => {
    const names = { task: "train", attempt: `train@${number}`, job: `job-train@${number}` };
    journal.jobSubmitted({ job: names.job, kind: "compute", tasks: 1, resources: {} });
    journal.attemptSubmitted({ ...names, number, slice });
    journal.attemptFinished(record({ ...names, ...changes }));
  };
  return { store, run, journal, slice };
}

const ended = { state: "failed", failure: { class: "slice-ended", message: "its time was up" } } as const;
const crashed = { state: "failed", failure: { class: "exit", message: "exit status 1" } } as const;

test("the newest checkpoint is what a task goes on from", () => {
  const { store, run, slice } = longTask();
  expect(store.memory(run).progressOf("train")).toBeUndefined();
  slice(1, 1, { ...ended, checkpoint: file("one", "state.pt") });
  slice(2, 2, { ...ended, checkpoint: file("two", "state.pt") });
  slice(3, 3, crashed);
  expect(store.memory(run).progressOf("train")).toEqual({ slice: 2, checkpoint: file("two", "state.pt") });
  expect(store.attempts(run, "train").map(({ number, slice }) => [number, slice])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
});

test("a folder can be a checkpoint", () => {
  const { store, run, slice } = longTask();
  const checkpoint = { kind: "directory", hash: "a".repeat(64), size: 12, files: 2 } as const;
  slice(1, 1, { ...ended, checkpoint });
  expect(store.memory(run).progressOf("train")?.checkpoint).toEqual(checkpoint);
});

test("what slices reported adds up, and what an attempt reported that left nothing does not", () => {
  const { store, run, slice } = longTask();
  slice(1, 1, { ...ended, checkpoint: file("one"), metrics: [{ loss: 3, lr: 0.1 }] });
  slice(2, 2, { ...crashed, metrics: [{ loss: 99 }] });
  expect(store.memory(run).task("train")?.metrics).toEqual({ loss: 3, lr: 0.1 });
  slice(3, 2, { metrics: [{ loss: 1, lr: null }] });
  expect(store.memory(run).task("train")?.metrics).toEqual({ loss: 1, lr: 0.1 });
  expect(store.metrics(run).map(({ slice, name }) => [slice, name])).toContainEqual([2, "loss"]);
});

test("content is needed of the newest checkpoint alone, and of none once the task is done", () => {
  const { store, run, journal, slice } = longTask();
  const needed = () => store.referencedContent().map(({ hash }) => hash);
  slice(1, 1, { ...ended, checkpoint: file("one") });
  slice(2, 2, { ...ended, checkpoint: file("two") });
  expect(needed()).toEqual([file("two").hash]);
  slice(3, 3, { outputs: { state: file("three") } });
  journal.taskEnded({ task: "train", state: "done", outputs: { state: file("three") }, splits: { state: [] } });
  expect(needed()).toEqual([file("three").hash]);
  const rows = store.query("SELECT slice, failure, task_seconds FROM slice WHERE run = 'RUN'".replace("RUN", run)).rows;
  expect(rows.map(([slice, failure]) => [slice, failure])).toEqual([
    [1, "slice-ended"],
    [2, "slice-ended"],
    [3, null],
  ]);
  expect(rows.map(([, , seconds]) => seconds)).toEqual(
    [1, 2, 3].map((count) => count * record({ task: "t", attempt: "a" }).usage.wallSeconds),
  );
});

test("an output that equals a checkpoint is kept as what it is", () => {
  const { store, journal, slice } = longTask();
  slice(1, 1, { ...ended, checkpoint: file("one") });
  slice(2, 2, { outputs: { state: file("one") } });
  journal.taskEnded({ task: "train", state: "done", outputs: { state: file("one") }, splits: { state: [] } });
  expect(store.referencedContent().map(({ hash }) => hash)).toEqual([file("one").hash]);
});
