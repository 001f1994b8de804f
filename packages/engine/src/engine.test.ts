import { WfError } from "@wf/protocol";
import { until } from "@wf/testing";
import { afterEach, expect, test, vi } from "vitest";
import type { FnHost } from "./ports.ts";
import { add, afterTwoTurns, glue, setUpEngine, usage } from "./test-engine.ts";
import { plain } from "./test-run.ts";

afterEach(() => vi.useRealTimers());

const two = () => ({
  n: glue({ all: [add({ all: [] }, {}, { as: "one" }).n, add({ all: [] }, {}, { as: "two" }).n] }).n,
});

test("facts are stored before what they speak of is done, and glue runs beside the engine", async () => {
  const { engine, log, memory } = setUpEngine(two);
  expect(await engine.run()).toBe("succeeded");
  expect(log).toEqual(["note one@1", "note two@1", "open", "submit one@1", "submit two@1", "note glue@1", "close"]);
  expect(plain(engine.output("n"))).toBe(2);
  const record = memory.ofType("attempt.finished").find(({ task }) => task === "glue")?.record;
  expect(record).toMatchObject({
    job: "fn-glue@1",
    host: "here",
    state: "succeeded",
    usage: { peakMemoryBytes: null },
  });
});

test("a run whose results are all known needs no backend", async () => {
  const first = setUpEngine(two);
  await first.engine.run();
  const again = setUpEngine(two, { memory: first.memory });
  expect(await again.engine.run()).toBe("succeeded");
  expect(again.log).toEqual([]);
});

test("attempts of an earlier engine are adopted, and a lost one is tried again", async () => {
  const { engine, backend, log, memory } = setUpEngine(two);
  memory.note([
    { type: "attempt.submitted", task: "one", attempt: "one@1", job: "job-one@1", number: 1 },
    { type: "attempt.submitted", task: "two", attempt: "two@4", job: "job-two@4", number: 4 },
  ]);
  backend.fates.set("one@1", "finished").set("two@4", "lost");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ended = engine.run();
  await until("the retry of two@4", () => memory.ofType("task.retry").length > 0);
  expect(memory.ofType("task.retry")).toMatchObject([{ attempt: "two@4", failure: "lost" }]);
  await vi.advanceTimersByTimeAsync(500);
  expect(log).not.toContain("submit two@5");
  vi.useRealTimers();
  engine.cancel();
  expect(await ended).toBe("cancelled");
  expect(log.slice(0, 2)).toEqual(["open", "adopt one@1 two@4"]);
});

test("the rest of an adopted attempt is counted by this clock, however far ahead that of the site is", async () => {
  let nowMs = -3_600_000;
  const { engine, backend, log, memory } = setUpEngine(two, { retries: 1, clock: { now: () => nowMs } });
  memory.note([{ type: "attempt.submitted", task: "one", attempt: "one@1", job: "job-one@1", number: 1 }]);
  backend.fates.set("one@1", "finished");
  backend.failing.add("one@1");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ended = engine.run();
  await until("the retry of one@1", () => memory.ofType("task.retry").length > 0);
  nowMs += 60_000;
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(await ended).toBe("succeeded");
  expect(log).toContain("submit one@2");
});

test("a failed attempt is tried again when its rest is over", async () => {
  let nowMs = 0;
  const { engine, backend, log, memory } = setUpEngine(() => ({ n: add({ all: [] }).n }), {
    retries: 1,
    clock: { now: () => nowMs },
  });
  backend.failing.add("add@1");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ended = engine.run();
  await until("a retry", () => memory.ofType("task.retry").length === 1);
  expect(log).not.toContain("submit add@2");
  nowMs = 1001;
  await vi.advanceTimersByTimeAsync(1001);
  expect(await ended).toBe("succeeded");
  expect(log).toContain("submit add@2");
});

test("cancelling reaches jobs by the backend and glue by its signal", async () => {
  const stuck: FnHost = {
    run: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ ok: false, class: "cancelled", message: "cancelled", usage }));
      }),
    close: async () => undefined,
  };
  const build = () => ({ n: add({ all: [] }).n, m: glue({ all: [] }).n });
  const { engine, backend, log, memory } = setUpEngine(build, { fnHost: stuck });
  backend.held.add("add@1");
  const ended = engine.run();
  await until("the submission of add@1", () => log.includes("submit add@1"));
  engine.cancel();
  expect(await ended).toBe("cancelled");
  expect(log).toContain("cancel add@1");
  expect(memory.ends()).toEqual({ add: "cancelled", glue: "cancelled" });
});

test("an attempt of an earlier engine that found the disk full is followed by another one", async () => {
  const { engine, backend, memory } = setUpEngine(() => ({ n: add({ all: [] }).n }));
  memory.note([{ type: "attempt.submitted", task: "add", attempt: "add@1", job: "job-add@1", number: 1 }]);
  backend.fates.set("add@1", "running");
  const ended = engine.run();
  await vi.waitFor(() => expect(backend.log).toContain("adopt add@1"));
  backend.finish("add@1", "disk-full");
  expect(await ended).toBe("succeeded");
  expect(memory.ofType("attempt.finished").map(({ record }) => record.attempt)).toEqual(["add@1", "add@2"]);
});

test("draining lets what runs end", async () => {
  const build = () => ({ n: add({ all: [add({ all: [] }, {}, { as: "first" }).n] }).n });
  const { engine, backend, log } = setUpEngine(build);
  backend.held.add("first@1");
  const ended = engine.run();
  await until("the submission of first@1", () => log.includes("submit first@1"));
  engine.drain();
  backend.finish("first@1");
  expect(await ended).toBe("stopped");
  expect(log).not.toContain("submit add@1");
});

test("draining waits for nothing that is held, be it before or later, but for what was released", async () => {
  const names = ["before", "after", "released"];
  const build = () => Object.fromEntries(names.map((name) => [name, add({ all: [] }, {}, { as: name }).n]));
  const { engine, backend, log, memory } = setUpEngine(build, { slots: 3 });
  for (const name of names) backend.held.add(`${name}@1`);
  const hold = (name: string) =>
    backend.tell({ type: "held", attempts: [`${name}@1`], queueJob: name, reason: "no reason" });
  const ended = engine.run();
  await vi.waitFor(() => expect(log).toContain("submit released@1"));
  for (const name of names) backend.tell({ type: "started", attempt: `${name}@1`, startedAt: 0 });
  hold("before");
  hold("released");
  backend.tell({ type: "released", attempts: ["released@1"], queueJob: "released" });
  engine.drain();
  await vi.waitFor(() => expect(log).toContain("cancel before@1"));
  hold("after");
  await vi.waitFor(() => expect(log).toContain("cancel after@1"));
  backend.finish("released@1");
  expect(await ended).toBe("stopped");
  const takenBack = memory.ofType("attempts.held").filter(({ isTakenBack }) => isTakenBack);
  expect(takenBack.map(({ queueJob }) => queueJob)).toEqual(["before", "after"]);
});

test("a backend that breaks ends the engine with its error, also before anything was handed over", async () => {
  const error = new WfError("WF_LAUNCHER", "it died");
  const { engine, backend, log, memory } = setUpEngine(() => ({ n: add({ all: [] }).n }));
  memory.note([{ type: "attempt.submitted", task: "add", attempt: "add@1", job: "job-add@1", number: 1 }]);
  backend.adopt = async () => {
    backend.tell({ type: "broken", error });
    await afterTwoTurns();
    return new Map([["add@1", "running" as const]]);
  };
  await expect(engine.run()).rejects.toBe(error);
  expect(log).toEqual(["open", "close"]);
});

test("what cannot be handed over or stored ends the engine, and nothing is done that is not stored", async () => {
  const refused = setUpEngine(() => ({ n: add({ all: [] }).n }));
  refused.backend.submit = async () => Promise.reject(new Error("no room"));
  await expect(refused.engine.run()).rejects.toThrow("no room");
  const unstored = setUpEngine(() => ({ n: add({ all: [] }).n }), {
    journal: {
      atomically: () => {
        throw new Error("disk full");
      },
      note: () => undefined,
    },
  });
  await expect(unstored.engine.run()).rejects.toThrow("disk full");
  expect(unstored.log).toEqual([]);
});

test("what cannot be handed over lets what runs end first, and waits for who resumes the run", async () => {
  const build = () => ({
    n: add({ all: [add({ all: [] }, {}, { as: "slow" }).n, add({ all: [] }, {}, { as: "quick" }).n] }).n,
    m: add({ all: [add({ all: [] }, {}, { as: "quick2" }).n] }, {}, { as: "next" }).n,
  });
  const { engine, backend, log, memory } = setUpEngine(build, { slots: 4 });
  backend.held.add("slow@1");
  const submit = backend.submit.bind(backend);
  backend.submit = async (jobs) => {
    if (jobs.some(({ job }) => job === "job-next@1")) throw new WfError("WF_SITE_FILE", "no room there");
    if (jobs.some(({ job }) => job === "job-slow@1"))
      backend.tell({ type: "started", attempt: "slow@1", startedAt: 0 });
    await submit(jobs);
  };
  const ended = engine.run();
  await vi.waitFor(() => expect(memory.ofType("run.stopping")).toMatchObject([{ how: "drain", why: "no room there" }]));
  expect(log).not.toContain("close");
  backend.finish("slow@1");
  await expect(ended).rejects.toThrow("no room there");
  expect(memory.ofType("task.ended").map(({ task }) => task)).toContain("slow");
  expect(memory.openAttempts().map(({ attempt }) => attempt)).toEqual(["next@1"]);
});

test("what waits is dropped when a run breaks off, unless another process has it", async () => {
  for (const [code, waiting] of [
    ["WF_STORE_OPEN", "dropped"],
    ["WF_RUN_OWNED", "left"],
  ] as const) {
    const { engine, backend, log } = setUpEngine(() => ({ n: add({ all: [] }).n }));
    backend.held.add("add@1");
    const ended = engine.run();
    await vi.waitFor(() => expect(log).toContain("submit add@1"));
    engine.giveUp(new WfError(code, "it broke"));
    await expect(ended).rejects.toThrow("it broke");
    expect(backend.closed).toBe(waiting);
    expect(engine.leftInQueue).toEqual({ jobs: ["7"], remove: "remove 7" });
  }
});

test("after the end nothing is written any more", async () => {
  const { engine, backend, memory } = setUpEngine(() => ({ n: add({ all: [] }).n }));
  await engine.run();
  const facts = memory.facts.length;
  backend.finish("add@1");
  engine.cancel();
  await afterTwoTurns();
  expect(memory.facts).toHaveLength(facts);
});
