import type { ListValue } from "@wf/protocol";
import { expect, test } from "vitest";
import { addStage, file, newRun, record, runStep, sha256, testFolder, testStore } from "./facts.fixture.ts";
import { Store } from "./store.ts";

function started() {
  const folder = testFolder();
  const store = testStore({}, folder);
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "train");
  return { folder, store, run, journal };
}

const ready = (task: string) => ({ task, stage: "train", index: [], key: null, parts: [], inputs: [] });
const job = { job: "j", kind: "compute", tasks: 1, resources: {} };

test("a task walks through its states", () => {
  const { store, run, journal } = started();
  const state = () => store.task(run, "t").state;
  journal.taskReady(ready("t"));
  expect(state()).toBe("ready");
  journal.jobSubmitted(job);
  journal.attemptSubmitted({ task: "t", attempt: "t#1", job: "j", number: 1 });
  expect(state()).toBe("submitted");
  journal.attemptStarted({ attempt: "t#1", startedAt: 5 });
  expect(state()).toBe("running");
  const failure = { class: "exit" as const, message: "exit 1" };
  journal.attemptFinished(record({ task: "t", attempt: "t#1", state: "failed", failure, exitCode: 1 }));
  expect(state()).toBe("ready");
  journal.attemptSubmitted({ task: "t", attempt: "t#2", job: "j", number: 2 });
  journal.attemptFinished(record({ task: "t", attempt: "t#2" }));
  journal.taskEnded({ task: "t", state: "done", outputs: { model: file("m") } });
  expect(state()).toBe("done");
  expect(store.memory(run).failuresOf("t")).toEqual(["exit"]);
});

test("what was in doubt and is skipped is skipped for its own reason, and in doubt no more", () => {
  const { store, run, journal } = started();
  journal.jobSubmitted(job);
  for (const task of ["first", "second"]) {
    journal.taskReady(ready(task));
    journal.attemptSubmitted({ task, attempt: `${task}@1`, job: "j", number: 1 });
    journal.attemptFinished(record({ task, attempt: `${task}@1` }));
    journal.taskEnded({ task, state: "done", outputs: {} });
  }
  const failure = { class: "node-failed" as const, message: "the node went down" };
  journal.revoked("first", record({ task: "first", attempt: "first@1", state: "failed", failure }));
  expect(store.memory(run).doubtOf("second")).toBeDefined();
  const cause = { root: "first", message: "its input failed" };
  journal.taskEnded({ task: "second", state: "skipped", cause });
  expect(store.memory(run).doubtOf("second")).toBeUndefined();
  journal.runFinished({ status: "succeeded", outputs: {}, metrics: {}, error: null });
  expect(store.task(run, "second")).toMatchObject({ state: "skipped", cause });
});

test("what was skipped in a part of the graph that a revoked success had grown is not called skipped for that reason", () => {
  const { store, run, journal } = started();
  journal.taskReady(ready("list"));
  journal.jobSubmitted(job);
  journal.attemptSubmitted({ task: "list", attempt: "list@1", job: "j", number: 1 });
  journal.attemptFinished(record({ task: "list", attempt: "list@1" }));
  journal.taskEnded({ task: "list", state: "done", outputs: {} });
  const cause = { root: "t[0]", message: "it ended with exit" };
  for (const task of ["gone", "again"])
    journal.taskEnded({ task, state: "skipped", cause, stage: "train", index: [0] });
  const failure = { class: "node-failed" as const, message: "the node went down" };
  journal.revoked("list", record({ task: "list", attempt: "list@1", state: "failed", failure }));
  expect(store.memory(run).doubtOf("gone")).toBeUndefined();
  journal.taskEnded({ task: "again", state: "skipped", cause });
  journal.runFinished({ status: "succeeded", outputs: {}, metrics: {}, error: null });
  expect(store.task(run, "again")).toMatchObject({ state: "skipped", cause });
  const outdated = { root: "", message: expect.stringContaining("turned out to have been killed") };
  expect(store.task(run, "gone")).toMatchObject({ state: "skipped", cause: outdated });
});

test("everything of a record can be read back", () => {
  const { store, run, journal } = started();
  const said = record({
    task: "t",
    attempt: "t#1",
    job: "j",
    state: "failed",
    failure: { class: "output-missing", message: "no model", name: "model" },
    exitCode: 3,
    signal: "SIGTERM",
    undeclared: [{ path: "core dump", size: 5 }],
    leftoverProcesses: 2,
    gpus: [0, 3],
    metrics: [
      { loss: 0.5, phase: "warm-up" },
      { loss: 0.25, converged: true, note: null },
    ],
    series: [[0, 99.5, 1000, null, 3, null, null]],
  });
  journal.taskReady(ready("t"));
  journal.jobSubmitted(job);
  journal.attemptSubmitted({ task: "t", attempt: "t#1", job: "j", number: 1 });
  journal.attemptFinished(said);
  const [attempt] = store.attempts(run, "t");
  expect(attempt).toMatchObject({
    attempt: "t#1",
    number: 1,
    job: "j",
    state: "failed",
    failure: said.failure,
    exitCode: 3,
    signal: "SIGTERM",
    host: said.host,
    pid: said.pid,
    startedAt: said.startedAt,
    endedAt: said.endedAt,
    usage: said.usage,
    stagedIn: said.stagedIn,
    stagedOut: said.stagedOut,
    leftoverProcesses: 2,
    gpus: [0, 3],
    undeclared: said.undeclared,
  });
  expect(store.series(run, "t#1")).toEqual(said.series);
  const points = store.metrics(run).map(({ line, name, value }) => [line, name, value]);
  expect(points).toEqual([
    [0, "loss", 0.5],
    [0, "phase", "warm-up"],
    [1, "converged", true],
    [1, "loss", 0.25],
    [1, "note", null],
  ]);
});

test("a figure that is not a whole number does not cost the record", () => {
  const { store, run, journal } = started();
  journal.taskReady(ready("t"));
  journal.jobSubmitted(job);
  journal.attemptSubmitted({ task: "t", attempt: "t#1", job: "j", number: 1 });
  const said = record({ task: "t", attempt: "t#1", stagedIn: { files: 1, bytes: 10.5, seconds: 1 } });
  journal.attemptFinished({ ...said, usage: { ...said.usage, peakMemoryBytes: 1024.4 } });
  expect(store.attempts(run, "t")[0]?.usage?.peakMemoryBytes).toBe(1024);
});

test("saying all of it again changes nothing, also in another process", () => {
  const { folder, store, run, journal } = started();
  const input = { name: "data", value: file("d"), split: ["train"], carried: false };
  const say = (to: typeof journal) => {
    addStage(to, "train");
    to.edge("train", "train");
    to.expanded({ node: "each", path: [1], count: 3, source: sha256("x") });
    runStep(to, { stage: "train", inputs: [input], outputs: { model: file("m") }, record: { metrics: [{ dice: 1 }] } });
  };
  const rows = () =>
    ["stages", "edges", "expansions", "tasks", "used", "made", "artifacts", "jobs", "attempts", "metrics", "cache"].map(
      (table) => store.query(`SELECT count(*) FROM ${table}`).rows[0]?.[0],
    );
  say(journal);
  const once = rows();
  say(journal);
  expect(rows()).toEqual(once);
  say(testStore({}, folder).journal(run));
  expect(rows()).toEqual(once);
  expect(store.task(run, "train").state).toBe("done");
});

test("a record that comes late does not wake a task that has ended", () => {
  const { store, run, journal } = started();
  journal.taskReady(ready("t"));
  journal.jobSubmitted(job);
  journal.attemptSubmitted({ task: "t", attempt: "t#1", job: "j", number: 1 });
  journal.taskEnded({ task: "t", state: "cancelled" });
  const failure = { class: "cancelled" as const, message: "asked for" };
  journal.attemptFinished(record({ task: "t", attempt: "t#1", state: "failed", failure }));
  expect(store.task(run, "t").state).toBe("cancelled");
  expect(store.memory(run).openAttempts()).toEqual([]);
});

test("a failed task that is tried again by a resumed run is as good as new", () => {
  const { store, run, journal } = started();
  journal.taskReady(ready("t"));
  journal.taskEnded({ task: "t", state: "failed", cause: { root: "t" } });
  journal.taskReady({ ...ready("t"), inputs: [{ name: "a", value: file("a"), split: [], carried: false }] });
  expect(store.task(run, "t")).toMatchObject({ state: "ready", cause: null, endedAt: null });
  expect(store.task(run, "t").inputs.map(({ name }) => name)).toEqual(["a"]);
});

test("a task that was never ready can be skipped if its stage is named", () => {
  const { store, run, journal } = started();
  journal.taskEnded({ task: "t[2]", state: "skipped", cause: "prepare failed", stage: "train", index: [2] });
  expect(store.task(run, "t[2]")).toMatchObject({
    state: "skipped",
    cause: "prepare failed",
    index: [2],
    readyAt: null,
  });
  expect(() => journal.taskEnded({ task: "t[3]", state: "skipped" })).toThrow("t[3]");
});

test("what is said out of order is a bug that names itself", () => {
  const { journal } = started();
  expect(() => journal.taskReady({ ...ready("t"), stage: "unheard" })).toThrow("Stage unheard is not in the store yet");
  expect(() => journal.attemptSubmitted({ task: "t", attempt: "a", job: "j", number: 1 })).toThrow("Task t is not");
  journal.taskReady(ready("t"));
  expect(() => journal.attemptSubmitted({ task: "t", attempt: "a", job: "j", number: 1 })).toThrow("Job j is not");
  expect(() => journal.attemptFinished(record({ task: "t", attempt: "a" }))).toThrow("Attempt a is not");
});

test("atomically keeps all or nothing, and an inner one undoes only itself", () => {
  const { store, run, journal } = started();
  const fail = () => {
    throw new Error("stop");
  };
  expect(() =>
    journal.atomically(() => {
      journal.event("lost", {});
      journal.taskReady(ready("lost"));
      fail();
    }),
  ).toThrow("stop");
  journal.atomically(() => {
    journal.event("kept", {});
    expect(() =>
      journal.atomically(() => {
        journal.event("undone", {});
        addStage(journal, "undone");
        journal.taskReady({ ...ready("undone"), stage: "undone" });
        fail();
      }),
    ).toThrow("stop");
    journal.event("kept too", {});
  });
  expect(store.events(run).map(({ seq, type }) => [seq, type])).toEqual([
    [1, "kept"],
    [2, "kept too"],
  ]);
  expect(store.tasks(run).total).toBe(0);
  expect(() => journal.taskReady({ ...ready("t"), stage: "undone" })).toThrow("Stage undone is not in the store yet");
});

test("nothing that was undone is taken for known", () => {
  const { store, run, journal } = started();
  const input = { name: "data", value: file("d"), split: [], carried: false };
  const list: ListValue = { kind: "list", items: [file("x"), file("y")] };
  const facts = () => {
    journal.taskReady({ ...ready("t"), inputs: [input, { ...input, name: "list", value: list }] });
    journal.jobSubmitted(job);
    journal.attemptSubmitted({ task: "t", attempt: "t#1", job: "j", number: 1 });
  };
  expect(() =>
    journal.atomically(() => {
      facts();
      throw new Error("stop");
    }),
  ).toThrow("stop");
  facts();
  journal.attemptStarted({ attempt: "t#1", startedAt: 5 });
  expect(store.memory(run).openAttempts()).toEqual([{ task: "t", attempt: "t#1", job: "j", number: 1 }]);
  expect(store.task(run, "t").inputs.map(({ artifact }) => artifact?.items)).toEqual([null, 2]);
});

test("another process goes on with the numbers of the events and knows the open attempts", () => {
  const { folder, run, journal } = started();
  journal.event("one", { a: 1 });
  journal.taskReady(ready("t"));
  journal.jobSubmitted(job);
  journal.attemptSubmitted({ task: "t", attempt: "t#1", job: "j", number: 1 });
  const later = Store.open(folder);
  const resumed = later.journal(run);
  resumed.event("two", null);
  resumed.attemptStarted({ attempt: "t#1", startedAt: 9 });
  resumed.attemptFinished(record({ task: "t", attempt: "t#1" }));
  expect(later.events(run)).toMatchObject([
    { seq: 1, type: "one", data: { a: 1 } },
    { seq: 2, type: "two", data: null },
  ]);
  expect(later.events(run, 1)).toHaveLength(1);
  expect(later.attempts(run, "t")[0]?.state).toBe("succeeded");
  later.close();
});

const FILE_B = { hash: sha256("b"), kind: "file", sizeBytes: 1, items: null, name: "data.csv" };

test("a list is one row a use and one artifact a sequence, with its items as origins", () => {
  const { store, run, journal } = started();
  const items = [file("a"), { kind: "list", items: [file("b"), file("a")] } as const, { kind: "absent" } as const];
  const list: ListValue = { kind: "list", items };
  const again: ListValue = { kind: "list", items: [...items] };
  const flat: ListValue = { kind: "list", items: [file("a"), file("b"), file("a")] };
  [list, again, flat].forEach((value, i) => {
    journal.taskReady({ ...ready(`t${i}`), inputs: [{ name: "all", value, split: [], carried: false }] });
  });
  const given = [0, 1, 2].map((i) => store.task(run, `t${i}`).inputs[0]?.artifact);
  expect(given[0]).toMatchObject({ kind: "list", items: 3, sizeBytes: 3 });
  expect(given[1]).toEqual(given[0]);
  expect(given[2]?.hash).not.toBe(given[0]?.hash);
  expect(store.listItems(String(given[0]?.hash)).map(({ hash }) => hash)).toEqual([sha256("a"), sha256("b")]);
  expect(store.artifact(sha256("b"), "file")).toEqual({ ...given[0], ...FILE_B });
  expect(store.artifact(sha256("b"), "json")).toBeUndefined();
});

test("an absent input is known as absent, and equal content of two kinds is two artifacts", () => {
  const { store, run, journal } = started();
  const hash = sha256("1");
  journal.taskReady({
    ...ready("t"),
    inputs: [
      { name: "file", value: { kind: "file", hash, size: 1, name: "n" }, split: [], carried: false },
      { name: "json", value: { kind: "json", hash, size: 1, value: 1 }, split: [], carried: true },
      { name: "none", value: { kind: "absent" }, split: [], carried: false },
    ],
  });
  expect(store.task(run, "t").inputs.map(({ artifact, carried }) => [artifact?.kind, carried])).toEqual([
    ["file", false],
    ["json", true],
    [undefined, false],
  ]);
});

test("a run starts, ends, and starts again", () => {
  let now = 100;
  const store = testStore({ now: () => now });
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  expect(store.run(run)).toMatchObject({ status: "created", startedAt: null });
  journal.runStarted();
  now = 110;
  journal.runFinished({ status: "failed", outputs: null, metrics: null, error: { root: "t" } });
  expect(store.run(run)).toMatchObject({ status: "failed", startedAt: 100, finishedAt: 110, error: { root: "t" } });
  now = 120;
  journal.runStarted();
  expect(store.run(run)).toMatchObject({ status: "running", startedAt: 100, finishedAt: null, error: null });
  const outputs = { report: file("r") };
  journal.runFinished({ status: "succeeded", outputs, metrics: { dice: 0.9 }, error: null });
  expect(store.run(run)).toMatchObject({ status: "succeeded", finishedAt: 120, outputs, metrics: { dice: 0.9 } });
});

test("data that moved for the whole run stands beside what attempts staged", () => {
  const { store, run, journal } = started();
  journal.transferred({ kind: "ingest", source: "/data", destination: "local", files: 3, bytes: 3e6, seconds: 2 });
  runStep(journal, { stage: "train" });
  expect(store.query(`SELECT attempt, kind, files, mb FROM transfer WHERE run = '${run}' ORDER BY kind`).rows).toEqual([
    [null, "ingest", 3, 3],
    ["train#1", "stage-in", 2, 20e-6],
    ["train#1", "stage-out", 1, 10e-6],
  ]);
});
