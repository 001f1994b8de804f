import { each, file, inOrder, type JsonHandle, json, task, zip } from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, adding, fails, glue, list, options, ran, start } from "./test-adding.ts";
import type { TestRun } from "./test-run.ts";

/** `left` fails; `right` and what follows it do not stand on it. */
const branches = () => {
  const left = add({ all: [] }, {}, { as: "left" });
  const right = add({ all: [] }, {}, { as: "right" });
  add({ all: [left.n] }, {}, { as: "after-left" });
  return { n: add({ all: [right.n] }, {}, { as: "after-right" }).n };
};

test("fail-fast hands over nothing more, and lets what runs end", () => {
  const run = start(branches, { behaviour: adding({ left: fails, right: { seconds: 5 } }) });
  expect(run.finish().status).toBe("failed");
  expect(ran(run)).toEqual(["left@1", "right@1"]);
  expect(run.store.ends()).toEqual({ "after-left": "skipped", left: "failed", right: "done" });
});

test("keep-going runs what does not stand on a failure, and says why the rest did not run", () => {
  const run = start(branches, { behaviour: adding({ left: fails }), keepGoing: true });
  expect(run.finish().status).toBe("failed");
  expect(run.store.ends()).toEqual({ "after-left": "skipped", "after-right": "done", left: "failed", right: "done" });
  const [skipped] = run.store.ofType("task.ended").filter(({ state }) => state === "skipped");
  expect(skipped?.cause).toEqual({ root: "left", message: "it ended with exit" });
  expect(run.output("n")).toBe(2);
});

test("draining lets what runs end, and a resumed run goes on from there", () => {
  const build = () => ({ n: add({ all: [add({ all: [] }, {}, { as: "first" }).n] }, {}, { as: "second" }).n });
  const run = start(build);
  expect(run.finish((step) => (step === 1 ? { type: "drain" } : undefined)).status).toBe("stopped");
  expect(run.store.ends()).toEqual({ first: "done" });
  expect(run.finish().status).toBe("succeeded");
  expect(ran(run)).toEqual(["first@1", "second@1"]);
  expect(run.output("n")).toBe(2);
});

test("what fails while a run is drained waits for no other try, and nobody is told of one", () => {
  const build = () => ({ n: add({ all: [] }).n });
  const run = start(build, { behaviour: adding({ add: { ...fails, seconds: 9 } }), retries: 3 });
  expect(run.finish((step) => (step === 1 ? { type: "drain" } : undefined)).status).toBe("stopped");
  expect([ran(run), run.store.ofType("task.retry"), run.site.nowMs]).toEqual([["add@1"], [], 9000]);
});

test("draining takes back what was handed over and has not started", () => {
  const build = () => ({ all: each([1, 2, 3, 4]).map((n) => add({ all: [] }, { n }).n) });
  const run = start(build, { behaviour: adding({ "add.*": { seconds: 100 } }), slots: 2 });
  expect(run.finish((step) => (step === 2 ? { type: "drain" } : undefined)).status).toBe("stopped");
  const ends = Object.values(run.store.ends());
  expect(ends.filter((end) => end === "done")).toHaveLength(2);
  expect(ends.filter((end) => end !== "done" && end !== "cancelled")).toEqual([]);
  expect(run.finish().status).toBe("succeeded");
  expect(run.output("all")).toEqual([1, 2, 3, 4]);
});

test("draining lets end what is glue, also what has only just begun", () => {
  const build = () => ({ all: each([1, 2, 3]).map((n) => glue({ all: [] }, { n }).n) });
  const run = start(build, { behaviour: adding({ "glue.*": { seconds: 9 } }) });
  expect(run.finish((step) => (step === 1 ? { type: "drain" } : undefined)).status).toBe("succeeded");
  expect(run.store.ends()).toEqual({ "glue.0": "done", "glue.1": "done", "glue.2": "done" });
});

/** Both are under way when the engine is killed; `quick` ends first. */
const twoAtOnce = () => {
  const quick = add({ all: [] }, {}, { as: "quick" });
  const slow = add({ all: [] }, {}, { as: "slow" });
  return { n: add({ all: [quick.n, slow.n] }, {}, { as: "after" }).n };
};

test("draining lets end what an earlier engine left behind, and cancelling ends it", () => {
  const behaviour = adding({ slow: { seconds: 100 } });
  const drained = start(twoAtOnce, { behaviour });
  killAfterSubmission(drained, "slow@1", 2);
  expect(drained.finish((step) => (step === 1 ? { type: "drain" } : undefined)).status).toBe("stopped");
  expect(drained.store.ends()).toEqual({ quick: "done", slow: "done" });
  expect(drained.site.executions.map(({ attempt, ended }) => [attempt, ended])).toEqual([
    ["quick@1", "succeeded"],
    ["slow@1", "succeeded"],
  ]);

  const cancelled = start(twoAtOnce, { behaviour });
  killAfterSubmission(cancelled, "slow@1", 2);
  expect(cancelled.finish((step) => (step === 1 ? { type: "cancel" } : undefined)).status).toBe("cancelled");
  expect(cancelled.store.ends()).toEqual({ quick: "done", slow: "cancelled" });
});

test("cancelling ends what runs and what waits, and a resumed run starts it over", () => {
  const build = () => ({ all: each([1, 2, 3]).map((n) => add({ all: [] }, { n }).n) });
  const run = start(build, { behaviour: adding({ "add.*": { seconds: 100 } }), slots: 2 });
  expect(run.finish((step) => (step === 2 ? { type: "cancel" } : undefined)).status).toBe("cancelled");
  expect(run.site.nowMs).toBe(0);
  expect(run.store.ends()).toEqual({ "add.0": "cancelled", "add.1": "cancelled", "add.2": "cancelled" });
  expect(run.store.openAttempts()).toEqual([]);
  expect(run.finish().status).toBe("succeeded");
  expect(run.output("all")).toEqual([1, 2, 3]);
});

test("an engine that was killed while it cancelled does not make its run fail", () => {
  const run = start(() => ({ n: add({ all: [] }).n }), { behaviour: adding({ add: { seconds: 100 } }) });
  const engine = run.engine((step) => (step === 1 ? { type: "cancel" } : undefined));
  while (run.store.facts.every(({ type }) => type !== "attempt.started")) engine.next();
  engine.next();
  run.site.cancel(["add@1"]);
  run.site.engineDied(false);
  expect(run.finish().status).toBe("succeeded");
  expect(ran(run)).toEqual(["add@1", "add@2"]);
});

test("a job that somebody else has cancelled has failed", () => {
  const run = start(() => ({ n: add({ all: [] }).n }), {
    behaviour: adding({ add: { failure: "cancelled" } }),
    retries: 3,
  });
  expect(run.finish().status).toBe("failed");
  expect(run.store.ofType("task.ended")[0]?.cause).toMatchObject({ class: "cancelled" });
});

/** Kills the engine as soon as the attempt is noted as handed over. */
function killAfterSubmission(run: TestRun, attempt: string, moments = 0): void {
  const engine = run.engine();
  while (run.store.ofType("attempt.submitted").every((fact) => fact.attempt !== attempt)) engine.next();
  for (let i = 0; i < moments; i++) engine.next();
  run.site.engineDied(false);
}

test("an attempt that runs on while nobody looks is waited for", () => {
  const run = start(() => ({ n: add({ all: [] }).n }), { behaviour: adding({ add: { seconds: 10 } }) });
  killAfterSubmission(run, "add@1", 1);
  run.site.pass(5);
  expect(run.finish().status).toBe("succeeded");
  expect([ran(run), run.site.nowMs]).toEqual([["add@1"], 10_000]);
});

test("an attempt that ended while nobody looked is taken by its record", () => {
  const run = start(() => ({ n: add({ all: [] }).n }), { behaviour: adding({ add: { seconds: 10 } }) });
  killAfterSubmission(run, "add@1", 1);
  run.site.pass(50);
  expect(run.finish().status).toBe("succeeded");
  expect([ran(run), run.site.nowMs]).toEqual([["add@1"], 50_000]);
});

test("an attempt that was noted but never handed over is handed over under the same name", () => {
  const run = start(() => ({ n: add({ all: [] }).n }));
  killAfterSubmission(run, "add@1");
  expect(run.site.fateOf("add@1")).toBe("never-submitted");
  expect(run.finish().status).toBe("succeeded");
  expect(ran(run)).toEqual(["add@1"]);
  expect(run.store.ofType("attempt.submitted")).toHaveLength(1);
});

test("an attempt that is proven dead is tried again under another name", () => {
  const run = start(() => ({ n: add({ all: [] }).n }), { behaviour: adding({ add: { seconds: 10 } }) });
  killAfterSubmission(run, "add@1", 1);
  run.site.launcherDied(false);
  expect(run.finish().status).toBe("succeeded");
  expect(ran(run)).toEqual(["add@1", "add@2"]);
  expect(run.store.ofType("attempt.finished").map(({ record }) => [record.attempt, record.failure?.class])).toEqual([
    ["add@1", "lost"],
    ["add@2", undefined],
  ]);
});

test("a try that follows an adopted one is this engine's own: who ends it has made it fail", () => {
  const behaviour = adding({ add: (execution) => (execution === 1 ? { failure: "cancelled" } : { seconds: 10 }) });
  const run = start(() => ({ n: add({ all: [] }).n }), { behaviour });
  killAfterSubmission(run, "add@1", 1);
  run.site.launcherDied(false);
  expect(run.finish().status).toBe("failed");
  expect(ran(run)).toEqual(["add@1", "add@2"]);
});

test("a cancelled run also ends what an earlier engine left behind and this one has not come to", () => {
  const build = () => ({ n: add({ all: [add({ all: [] }, {}, { as: "first" }).n] }, {}, { as: "second" }).n });
  const run = start(build, { behaviour: adding({ second: { seconds: 1000 } }) });
  killAfterSubmission(run, "second@1", 1);
  expect(run.finish((step) => (step === 0 ? { type: "cancel" } : undefined)).status).toBe("cancelled");
  expect(run.site.fateOf("second@1")).toBe("finished");
  expect(run.site.nowMs).toBeLessThan(1000_000);
});

test("an end that is told twice counts once, also while the task waits for its next try", () => {
  const behaviour = adding({ add: (execution) => (execution === 0 ? fails : {}) });
  const run = start(() => ({ n: add({ all: [] }).n }), { behaviour, retries: 1 });
  const again = () => run.store.ofType("attempt.finished");
  const status = run.finish(() => {
    const record = again()[0]?.record;
    return record && { type: "finished", attempt: record.attempt, record, nowMs: run.site.nowMs };
  });
  expect(status.status).toBe("succeeded");
  expect(again().map(({ record }) => record.attempt)).toEqual(["add@1", "add@2"]);
  expect(run.store.ofType("task.retry")).toHaveLength(1);
});

test("of two branches the longer one starts first", () => {
  const build = () => {
    add({ all: [] }, {}, { as: "short" });
    const first = add({ all: [] }, {}, { as: "long-1" });
    const second = add({ all: [first.n] }, {}, { as: "long-2" });
    add({ all: [second.n] }, {}, { as: "long-3" });
    return {};
  };
  const run = start(build, { slots: 1, mostInFlight: 1 });
  expect(run.finish().status).toBe("succeeded");
  expect(ran(run)).toEqual(["long-1@1", "long-2@1", "short@1", "long-3@1"]);
});

test("no more jobs are handed over than the backend takes, and enough to keep it busy", () => {
  const build = () => ({ all: each(Array.from({ length: 100 }, (_, n) => n)).map((n) => add({ all: [] }, { n }).n) });
  const run = start(build, { slots: 4, mostInFlight: 6, behaviour: adding({ "add.*": { seconds: 0.001 } }) });
  expect(run.finish().status).toBe("succeeded");
  expect(run.site.mostJobsAtOnce).toBe(6);
  const calm = start(build, { slots: 4, mostInFlight: 64, behaviour: adding({ "add.*": { seconds: 60 } }) });
  calm.finish();
  expect(calm.site.nowMs).toBe(25 * 60_000);
  expect(calm.site.mostJobsAtOnce).toBeLessThanOrEqual(8);
});

test("tasks of one stage share jobs, and each keeps its own record and retries", () => {
  const build = () => ({ all: each([1, 2, 3, 4, 5, 6, 7]).map((n) => add({ all: [] }, { n }).n) });
  const behaviour = adding({ "add.1": (execution) => (execution === 0 ? fails : {}) });
  const run = start(build, { behaviour, tasksPerJob: 3, slots: 1, retries: 1 });
  expect(run.finish().status).toBe("succeeded");
  expect(run.output("all")).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(run.store.ofType("job.submitted").map(({ job, tasks }) => [job, tasks])).toEqual([
    ["job-add.0@1", ["add.0", "add.1", "add.2"]],
    ["job-add.3@1", ["add.3", "add.4", "add.5"]],
    ["job-add.6@1", ["add.6", "add.1"]],
  ]);
  const ends = run.store.ofType("attempt.finished").map(({ record }) => [record.attempt, record.state]);
  expect(ends.filter(([attempt]) => attempt?.startsWith("add.1@"))).toEqual([
    ["add.1@1", "failed"],
    ["add.1@2", "succeeded"],
  ]);
});

test("a job that is not full waits while every place is taken", () => {
  const twice = (n: JsonHandle<number>) =>
    add({ all: [add({ all: [] }, { n }, { as: "first" }).n] }, {}, { as: "second" });
  const build = () => ({ all: each([1, 2, 3]).map((n) => twice(n).n) });
  const run = start(build, { tasksPerJob: 3, slots: 1 });
  expect(run.finish().status).toBe("succeeded");
  expect(run.store.ofType("job.submitted").map(({ tasks }) => tasks)).toEqual([
    ["first.0", "first.1", "first.2"],
    ["second.0", "second.1", "second.2"],
  ]);
});

test("a failure is tried again after a rest that grows, as often as the task may", () => {
  const eager = task({ name: "eager", outputs: options.outputs, retries: 3, command: () => ["eager"] });
  const run = start(() => ({ n: eager({}).n }), { behaviour: adding({ eager: fails }), retries: 1 });
  expect(run.finish().status).toBe("failed");
  expect(run.site.executions.map(({ startMs }) => startMs)).toEqual([0, 2000, 5000, 10_000]);
  expect(run.store.ofType("task.retry").map(({ attempt, inSeconds }) => [attempt, inSeconds])).toEqual([
    ["eager@1", 1],
    ["eager@2", 2],
    ["eager@3", 4],
  ]);
  const [end] = run.store.ofType("task.ended");
  expect(end?.cause).toEqual({ root: "eager", class: "exit", message: "it ended with exit", attempt: "eager@4" });
});

test("what an earlier task made is taken by its key, and a task that must not be cached runs", () => {
  const fresh = task({ name: "fresh", ...options, cache: "never", command: () => ["fresh"] });
  const build = () => {
    const [one, again] = [add({ all: [] }, {}, { as: "one" }), add({ all: [] }, {}, { as: "again" })];
    const [new1, new2] = [fresh({ all: [] }, {}, { as: "new-1" }), fresh({ all: [] }, {}, { as: "new-2" })];
    inOrder(one, again);
    inOrder(new1, new2);
    return { n: add({ all: [one.n, again.n, new2.n] }).n };
  };
  const run = start(build, { useCache: true });
  expect(run.finish().status).toBe("succeeded");
  expect(ran(run).toSorted()).toEqual(["add@1", "new-1@1", "new-2@1", "one@1"]);
  const cached = run.store.ofType("task.ended").filter(({ state }) => state === "cached");
  expect(cached.map(({ task, cachedFrom }) => [task, cachedFrom?.task])).toEqual([["again", "one"]]);
  const keys = new Map(run.store.ofType("task.ended").map(({ task, key }) => [task, key]));
  expect([keys.get("one"), keys.get("new-1")]).toEqual([expect.any(String), null]);
  expect(run.output("n")).toBe(4);
});

test("a number that only an earlier slice reported is the task's in the end, and a later one goes before it", () => {
  const long = task({
    name: "long",
    outputs: { n: json(z.number()), state: file() },
    metrics: ["first", "both"],
    resumable: { checkpoint: "state" },
    command: ({ outputs }) => ["long", outputs.state],
  });
  const build = () => {
    const { metrics } = long({});
    return { n: add({ all: [metrics.first, metrics.both] }, { n: 0 }).n };
  };
  const cut = { failure: "slice-ended", leaves: 1, metrics: { first: 10, both: 20 } } as const;
  const behaviour = adding({
    long: (execution) => (execution === 0 ? cut : { outputs: { n: 0 }, metrics: { both: 300 } }),
  });
  const run = start(build, { behaviour });
  expect(run.finish().status).toBe("succeeded");
  expect([ran(run), run.output("n")]).toEqual([["long@1", "long@2", "add@1"], 310]);
});

test("what is known ends in turns that stay short", () => {
  const count = 2500;
  const build = () => ({
    all: each(Array.from({ length: count }, (_, n) => n % 1000)).map((n) => add({ all: [] }, { n }).n),
  });
  const run = start(build, { behaviour: adding({ "add.*": { seconds: 0 } }), useCache: true });
  run.finish();
  const engine = run.engine();
  const sizes: number[] = [];
  for (let before = run.store.facts.length, moment = engine.next(); !moment.done; moment = engine.next()) {
    if (moment.value === "stored") sizes.push(run.store.facts.length - before);
    before = run.store.facts.length;
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1001);
  expect(sizes.reduce((a, b) => a + b)).toBe(count + 1);
});

test("a parameter that a run has made meets its schema before the task runs", () => {
  const build = () => ({ n: add({ all: [] }, { n: add({ all: [] }, { n: 1000 }, { as: "first" }).n }).n });
  const run = start(build, { behaviour: adding({ first: { outputs: { n: 2000 } } }) });
  expect(run.finish().status).toBe("failed");
  expect(ran(run)).toEqual(["first@1"]);
  const [, end] = run.store.ofType("task.ended");
  expect(end).toMatchObject({
    task: "add",
    state: "failed",
    cause: { message: expect.stringContaining('parameter "n"') },
  });
});

test("an output that does not fit its schema is a failure, which may be tried again", () => {
  const behaviour = adding({ add: (execution) => (execution === 0 ? { outputs: { n: "many" } } : {}) });
  const run = start(() => ({ n: add({ all: [] }).n }), { behaviour, retries: 1 });
  expect(run.finish().status).toBe("succeeded");
  expect(run.store.ofType("task.retry")[0]).toMatchObject({
    failure: "output-invalid",
    message: expect.stringContaining('output "n" does not fit its schema'),
  });
});

test("lists that do not fit together break the run where they meet, and keep-going goes on elsewhere", () => {
  const build = () => {
    const one = list({}, {}, { as: "one" }).all.items();
    const two = list({}, {}, { as: "two" }).all.items();
    add({ all: zip({ one, two }).map((pair) => add({ all: [pair.one, pair.two] }).n) }, {}, { as: "after" });
    return { n: add({ all: [] }, {}, { as: "alone" }).n };
  };
  const behaviour = adding({ one: { outputs: { all: [1] } }, two: { outputs: { all: [1, 2] } } });
  const run = start(build, { behaviour, keepGoing: true });
  expect(run.finish().status).toBe("failed");
  expect(run.store.ofType("run.broken")).toEqual([
    expect.objectContaining({ node: "map:add", code: "WF_ZIP_LENGTH", where: expect.stringContaining("map:add") }),
  ]);
  expect(run.store.ends()).toEqual({ after: "skipped", alone: "done", one: "done", two: "done" });
});

test("glue does not wait for jobs that take long", () => {
  const build = () => {
    const long = each([1, 2, 3, 4, 5]).map((n) => add({ all: [] }, { n }, { as: "long" }).n);
    const small = glue({ all: [add({ all: [] }, {}, { as: "first" }).n] });
    return { n: small.n, all: long };
  };
  const run = start(build, { behaviour: adding({ "long.*": { seconds: 1000 } }), slots: 2, mostInFlight: 3 });
  run.finish();
  const started = (name: string) => run.site.executions.find(({ task }) => task === name)?.startMs;
  expect(started("glue")).toBe((started("first") ?? 0) + 1000);
});

test("a run of nothing succeeds, and a list of nothing comes to nothing", () => {
  expect(start(() => ({})).finish().status).toBe("succeeded");
  const run = start(
    () => ({
      n: add(
        {
          all: list({})
            .all.items()
            .map((n) => add({ all: [n] }).n),
        },
        {},
        { as: "sum" },
      ).n,
    }),
    {
      behaviour: adding({ list: { outputs: { all: [] } } }),
    },
  );
  expect(run.finish().status).toBe("succeeded");
  expect([ran(run), run.output("n")]).toEqual([["list@1", "sum@1"], 1]);
});
