import { expect, test } from "vitest";
import { addStage, file, newRun, runStep, testStore } from "./facts.fixture.ts";

function sample() {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "evaluate", { position: 2 });
  addStage(journal, "train", { position: 1, fits: true });
  addStage(journal, "prepare", { position: 0 });
  journal.edge("prepare", "train");
  journal.edge("train", "evaluate");
  for (const i of [0, 1, 2]) {
    runStep(journal, { stage: "prepare", task: `prepare[${i}]`, index: [i], outputs: { out: file(`o${i}`) } });
  }
  journal.taskReady({ task: "train", stage: "train", index: [], key: "k", parts: [], params: { lr: 0.1 }, inputs: [] });
  return { store, run, journal };
}

test("stages are counted by state, in their order, those without tasks too", () => {
  const { store, run } = sample();
  const counted = store.stages(run).map(({ stage, fits, counts }) => [stage, fits, counts.done, counts.ready]);
  expect(counted).toEqual([
    ["prepare", false, 3, 0],
    ["train", true, 0, 1],
    ["evaluate", false, 0, 0],
  ]);
  expect(store.stages(run)[0]?.resources).toEqual({ cpus: 1 });
  expect(store.edges(run)).toEqual([
    { from: "prepare", to: "train" },
    { from: "train", to: "evaluate" },
  ]);
});

test("tasks are listed with filters and in pages", () => {
  const { store, run } = sample();
  const names = (filter: Parameters<typeof store.tasks>[1]) => store.tasks(run, filter).tasks.map(({ task }) => task);
  expect(names({})).toEqual(["prepare[0]", "prepare[1]", "prepare[2]", "train"]);
  expect(names({ limit: 2, offset: 1 })).toEqual(["prepare[1]", "prepare[2]"]);
  expect(store.tasks(run, { limit: 2 }).total).toBe(4);
  expect(names({ stage: "train" })).toEqual(["train"]);
  expect(names({ states: ["ready", "failed"] })).toEqual(["train"]);
  expect(names({ states: [] })).toEqual([]);
  expect(names({ text: "[1" })).toEqual(["prepare[1]"]);
  expect(store.tasks(run, { stage: "prepare", states: ["done"], text: "2" })).toMatchObject({
    total: 1,
    tasks: [{ task: "prepare[2]", stage: "prepare", index: [2], state: "done", attempts: 1, cachedFrom: null }],
  });
});

test("a task is read with what it was given and made", () => {
  const { store, run } = sample();
  expect(store.task(run, "train").params).toEqual({ lr: 0.1 });
  expect(store.task(run, "prepare[1]").outputs).toEqual({ out: file("o1") });
});

test("a task that the run does not have is an error that names near ones", () => {
  const { store, run } = sample();
  expect(() => store.task(run, "prepare[9]")).toThrow(
    expect.objectContaining({ code: "WF_TASK_NOT_FOUND", hint: expect.stringContaining("prepare[0], prepare[1]") }),
  );
  expect(() => store.task(run, "nowhere")).toThrow(
    expect.objectContaining({ code: "WF_TASK_NOT_FOUND", hint: expect.stringContaining("wf show") }),
  );
});

test("metrics can be asked for by task and name", () => {
  const { store, run, journal } = sample();
  runStep(journal, { stage: "train", task: "train", record: { metrics: [{ loss: 2, dice: 0.1 }, { loss: 1 }] } });
  expect(store.metrics(run, { task: "train", name: "loss" }).map(({ line, value }) => [line, value])).toEqual([
    [0, 2],
    [1, 1],
  ]);
  expect(store.metrics(run, { task: "prepare[0]" })).toEqual([]);
  expect(store.task(run, "train").metrics).toEqual({ loss: 1, dice: 0.1 });
});

test("what a scheduler says of a job is told of every attempt that it carried, and asked for once", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "s");
  for (const task of ["s.0", "s.1"]) {
    runStep(journal, { stage: "s", task, record: { endedAt: 1003 } });
    journal.attemptQueued({ task, attempt: `${task}#1`, queueJob: "12_3" });
  }
  expect(store.unaskedJobs(run, 1003)).toEqual([]);
  expect(store.unaskedJobs(run, 1004)).toEqual(["12_3"]);
  const account = {
    state: "COMPLETED",
    nodes: "c1",
    waitSeconds: 4,
    wallSeconds: 3,
    cpuSeconds: 2.5,
    peakMemoryBytes: 7,
    receivedBytes: 5000,
    sentBytes: 60,
    starts: 1,
  };
  expect(store.accounts(run, "s.1")).toEqual([{ attempt: "s.1#1", queueJob: "12_3", account: null }]);
  journal.jobAccounted("12_3", account);
  expect(store.unaskedJobs(run, 1004)).toEqual([]);
  for (const task of ["s.0", "s.1"])
    expect(store.accounts(run, task)).toEqual([{ attempt: `${task}#1`, queueJob: "12_3", account }]);
});
