import { expect, test } from "vitest";
import { addStage, newRun, rank, record, runStep, testStore } from "./facts.fixture.ts";

test("a trace sums, averages and peaks over the attempts that ended", () => {
  let now = 1000;
  const store = testStore({ now: () => now });
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  journal.runStarted();
  addStage(journal, "train", { position: 1 });
  addStage(journal, "prepare", { position: 0 });
  addStage(journal, "later", { position: 2 });
  const { usage } = record({ task: "", attempt: "" });
  const gpu = { gpuPercent: 50, peakGpuMemoryBytes: 8e9 };
  runStep(journal, { stage: "prepare", task: "prepare[0]" });
  runStep(journal, {
    stage: "prepare",
    task: "prepare[1]",
    record: { usage: { ...usage, wallSeconds: 30, cpuPercent: 50, peakMemoryBytes: 70e6, readBytes: null } },
  });
  runStep(journal, { stage: "train", record: { usage: { ...usage, wallSeconds: 7200, ...gpu }, gpus: [0, 1] } });
  journal.taskReady({ task: "prepare[2]", stage: "prepare", index: [2], key: null, parts: [], inputs: [] });
  journal.taskEnded({ task: "prepare[2]", state: "cached", outputs: {}, cachedFrom: { run: "r", task: "t" } });
  now = 9000;
  journal.runFinished({ status: "succeeded", outputs: {}, metrics: {}, error: null });

  const { stages, totals } = store.trace(run);
  expect(stages.map(({ stage }) => stage)).toEqual(["prepare", "train", "later"]);
  expect(stages[0]).toEqual({
    stage: "prepare",
    tasks: 3,
    done: 2,
    cached: 1,
    failed: 0,
    attempts: 2,
    readMb: 3,
    writtenMb: 4,
    cpuPercent: (90 * 10 + 50 * 30) / 40,
    peakMemoryMb: 70,
    gpuPercent: null,
    peakGpuMemoryMb: null,
    averageSeconds: 20,
    longestSeconds: 30,
    ranks: [],
  });
  expect(stages[1]).toMatchObject({ gpuPercent: 50, peakGpuMemoryMb: 8000, averageSeconds: 7200 });
  expect(stages[2]).toMatchObject({ tasks: 0, attempts: 0, readMb: null, cpuPercent: null, averageSeconds: null });
  expect(totals).toMatchObject({
    tasks: 4,
    done: 3,
    cached: 1,
    attempts: 3,
    cpuHours: 27 / 3600,
    gpuHours: 4,
    readGb: 0.006,
    writtenGb: 0.006,
    peakMemoryMb: 70,
    peakGpuMemoryMb: 8000,
    seconds: 8000,
  });
});

test("an attempt that failed was paid for, one that still runs is not counted yet", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "train");
  journal.taskReady({ task: "t", stage: "train", index: [], key: null, parts: [], inputs: [] });
  journal.jobSubmitted({ job: "j", kind: "compute", tasks: 1, resources: {} });
  const failure = { class: "exit" as const, message: "" };
  journal.attemptSubmitted({ task: "t", attempt: "t#1", job: "j", number: 1 });
  journal.attemptFinished(record({ task: "t", attempt: "t#1", state: "failed", failure }));
  journal.attemptSubmitted({ task: "t", attempt: "t#2", job: "j", number: 2 });
  journal.attemptStarted({ attempt: "t#2", startedAt: 3 });
  expect(store.trace(run).stages[0]).toMatchObject({ tasks: 1, attempts: 1, writtenMb: 2, averageSeconds: 10 });
});

test("what a job did not come to counts for nothing", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "train");
  runStep(journal, { stage: "train" });
  journal.attemptSubmitted({ task: "train", attempt: "train#2", job: "job of train", number: 2 });
  const { usage } = record({ task: "", attempt: "" });
  const failure = { class: "not-reached" as const, message: "" };
  const unreached = { state: "failed" as const, failure, usage: { ...usage, wallSeconds: 0 } };
  journal.attemptFinished(record({ task: "train", attempt: "train#2", job: "job of train", ...unreached }));
  const { stages, totals } = store.trace(run);
  expect(stages[0]).toMatchObject({ attempts: 1, averageSeconds: 10 });
  expect(totals).toMatchObject({ attempts: 1 });
});

test("each rank of a distributed stage has figures of its own", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "train");
  const { usage } = record({ task: "", attempt: "" });
  const ranks = (peakMemoryBytes: number) => [
    rank(0, { host: "c1", usage: { ...usage, peakMemoryBytes } }),
    rank(1, { host: "c2", usage: { ...usage, wallSeconds: 30, cpuPercent: 50 } }),
  ];
  runStep(journal, { stage: "train", task: "train.0", record: { ranks: ranks(7e6) } });
  runStep(journal, { stage: "train", task: "train.1", record: { ranks: ranks(9e6) } });
  const [first, second, ...others] = store.trace(run).stages[0]?.ranks ?? [];
  expect(first).toMatchObject({ rank: 0, hosts: "c1", attempts: 2, peakMemoryMb: 9, readMb: 6, cpuPercent: 90 });
  expect(second).toMatchObject({ rank: 1, hosts: "c2", averageSeconds: 30, cpuPercent: 50 });
  expect(others).toEqual([]);
});

test("an attempt keeps its ranks: what they told, what they did not, and which one failed first", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "train");
  const told = rank(0, { host: "c1", exitCode: 3, signal: null });
  const silent = { ...rank(1), localRank: null, host: null, pid: null, exitCode: null, usage: null };
  const failure = { class: "exit", message: "rank 0 of 2 on c1: exit status 3", rank: 0 } as const;
  runStep(journal, { stage: "train", record: { state: "failed", failure, ranks: [told, silent] } });
  expect(store.ranks(run, "train#1")).toEqual([
    { ...told, isCause: true },
    { ...silent, isCause: false },
  ]);
  expect(store.query("SELECT task, rank, host, exit_code, is_cause FROM rank ORDER BY rank").rows).toEqual([
    ["train", 0, "c1", 3, 1],
    ["train", 1, null, null, 0],
  ]);
  expect(store.ranks(run, "none")).toEqual([]);
});
