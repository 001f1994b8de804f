import type { Adoption, Backend, BackendEvent, JobSpec, RuntimePreparer } from "@wf/backend";
import { type FailureClass, fn, type Graph, json, many, sha256, task, type Value, WfError, workflow } from "@wf/core";
import { placeFiles, planStages } from "@wf/planner";
import { LOCAL_SITE } from "@wf/site";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { Engine, type EngineOptions } from "./engine.ts";
import type { Fact } from "./fact.ts";
import type { FnHost } from "./ports.ts";
import { jsonOps, plain } from "./test-run.ts";
import { testRecord } from "./test-site.ts";
import { TestStore } from "./test-store.ts";

const n = json(z.number());
const add = task({
  name: "add",
  inputs: { all: many(n) },
  outputs: { n },
  command: ({ inputs }) => ["add", inputs.all],
});
const glue = fn({ name: "glue", inputs: { all: many(n) }, outputs: { n }, run: () => ({ n: 0 }) });
const value = (number: number): Value => ({ kind: "json", value: number, hash: sha256(String(number)), size: 1 });
const usage = { userSeconds: 0, systemSeconds: 0, peakMemoryBytes: null, readBytes: null, writtenBytes: null };

/** Runs nothing: it answers each attempt with a record, unless the test holds it back. */
class TestBackend implements Backend {
  readonly name = "test";
  readonly capabilities = { capacity: null, maxInFlight: 8, arrays: false, fileTransfer: false, liveMetrics: false };
  readonly log: string[];
  readonly fates = new Map<string, Adoption>();
  readonly held = new Set<string>();
  readonly failing = new Set<string>();
  tell: (event: BackendEvent) => void = () => undefined;

  constructor(log: string[]) {
    this.log = log;
  }

  async open(onEvent: (event: BackendEvent) => void): Promise<void> {
    this.log.push("open");
    this.tell = onEvent;
  }
  async submit(jobs: readonly JobSpec[]): Promise<void> {
    for (const { attempt } of jobs.flatMap(({ tasks }) => tasks)) {
      this.log.push(`submit ${attempt}`);
      if (!this.held.has(attempt)) this.finish(attempt);
    }
  }
  async cancel(attempts: readonly string[]): Promise<void> {
    this.log.push(`cancel ${attempts.join(" ")}`);
    for (const attempt of attempts) this.finish(attempt, "cancelled");
  }
  async adopt(attempts: readonly string[]): Promise<ReadonlyMap<string, Adoption>> {
    this.log.push(`adopt ${attempts.join(" ")}`);
    for (const attempt of attempts) if (this.fates.get(attempt) === "finished") this.finish(attempt);
    return new Map(attempts.map((attempt) => [attempt, this.fates.get(attempt) ?? "never-submitted"]));
  }
  async close(): Promise<void> {
    this.log.push("close");
  }

  finish(attempt: string, failure: FailureClass | undefined = this.failing.has(attempt) ? "exit" : undefined): void {
    const outcome = failure ? { failure } : { outputs: { n: 1 } };
    this.tell({ type: "started", attempt, startedAt: 0 });
    this.tell({ type: "finished", attempt, record: testRecord({ attempt }, outcome) });
  }
}

const sum = (given: readonly Value[]) =>
  given.reduce((total, one) => total + (one.kind === "json" ? (one.value as number) : 0), 0);
const adding: FnHost = {
  run: async ({ inputs: { all } }) => ({
    ok: true,
    outputs: { n: value(all?.kind === "list" ? sum(all.items) : 0) },
    usage,
  }),
  close: async () => undefined,
};

const runtime = {
  key: "k",
  how: "venv",
  interpreter: "/rt/k/bin/python3",
  bin: "/rt/k/bin",
  python: "3.11.2",
  packages: { numpy: "1.24" },
} as const;
const ready: RuntimePreparer = {
  find: async () => runtime,
  prepare: async () => runtime,
  foresee: async () => ({ state: "ready", runtime }),
};
const wish = { requirements: ["numpy"], requiresPython: null, project: "/project" };

/** `needing` are the stages that need a runtime. */
function setUp(build: () => object, changes: Partial<EngineOptions> = {}, needing: readonly string[] = []) {
  const graph: Graph = workflow({ name: "study", build: build as () => Record<never, never> }).toGraph();
  const log: string[] = [];
  const backend = new TestBackend(log);
  const memory = (changes.memory as TestStore | undefined) ?? new TestStore();
  let isWriting = false;
  const options: EngineOptions = {
    run: "run",
    graph,
    plan: planStages({
      graph,
      site: LOCAL_SITE,
      capacity: null,
      code: new Map(),
      wishes: new Map(needing.map((stage) => [stage, wish])),
      bundleHash: "b",
    }),
    inputs: new Map(),
    ops: jsonOps,
    memory,
    useCache: false,
    keepGoing: false,
    retries: 0,
    slots: 2,
    mostInFlight: 4,
    mostMemoryBytes: Number.POSITIVE_INFINITY,
    random: () => 0,
    backend,
    journal: {
      atomically(work) {
        isWriting = true;
        work();
        isWriting = false;
      },
      note(fact: Fact) {
        expect(isWriting).toBe(true);
        memory.note([fact]);
        if (fact.type === "attempt.submitted") log.push(`note ${fact.attempt}`);
      },
    },
    fnHost: adding,
    preparer: ready,
    spec: {
      artifacts: {
        keep: (kept) => {
          const items = plain(kept);
          return Array.isArray(items) ? { kind: "list", items: items.map(value) } : value(items as number);
        },
      },
      placement: placeFiles("shared"),
      siteEnv: {},
      python: "python3",
      sandboxOf: (attempt) => attempt,
      secret: (name) => name,
    },
    storage: "/site",
    host: "here",
    clock: { now: () => 0 },
    onFact: () => undefined,
    ...changes,
  } as EngineOptions;
  return { engine: new Engine(options), backend, log, memory };
}

afterEach(() => vi.useRealTimers());

const two = () => ({
  n: glue({ all: [add({ all: [] }, {}, { as: "one" }).n, add({ all: [] }, {}, { as: "two" }).n] }).n,
});

test("facts are stored before what they speak of is done, and glue runs beside the engine", async () => {
  const { engine, log, memory } = setUp(two);
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
  const first = setUp(two);
  await first.engine.run();
  const again = setUp(two, { memory: first.memory });
  expect(await again.engine.run()).toBe("succeeded");
  expect(again.log).toEqual([]);
});

test("attempts of an earlier engine are adopted, and a lost one is tried again", async () => {
  const { engine, backend, log, memory } = setUp(two);
  memory.note([
    { type: "attempt.submitted", task: "one", attempt: "one@1", job: "job-one@1", number: 1 },
    { type: "attempt.submitted", task: "two", attempt: "two@4", job: "job-two@4", number: 4 },
  ]);
  backend.fates.set("one@1", "finished").set("two@4", "lost");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ended = engine.run();
  await vi.waitFor(() => expect(memory.ofType("task.retry")).toMatchObject([{ attempt: "two@4", failure: "lost" }]));
  await vi.advanceTimersByTimeAsync(500);
  expect(log).not.toContain("submit two@5");
  vi.useRealTimers();
  engine.cancel();
  expect(await ended).toBe("cancelled");
  expect(log.slice(0, 2)).toEqual(["open", "adopt one@1 two@4"]);
});

test("a failed attempt is tried again when its rest is over", async () => {
  let nowMs = 0;
  const { engine, backend, log, memory } = setUp(() => ({ n: add({ all: [] }).n }), {
    retries: 1,
    clock: { now: () => nowMs },
  });
  backend.failing.add("add@1");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ended = engine.run();
  await vi.waitFor(() => expect(memory.ofType("task.retry")).toHaveLength(1));
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
  const { engine, backend, log, memory } = setUp(build, { fnHost: stuck });
  backend.held.add("add@1");
  const ended = engine.run();
  await vi.waitFor(() => expect(log).toContain("submit add@1"));
  engine.cancel();
  expect(await ended).toBe("cancelled");
  expect(log).toContain("cancel add@1");
  expect(memory.ends()).toEqual({ add: "cancelled", glue: "cancelled" });
});

test("draining lets what runs end", async () => {
  const build = () => ({ n: add({ all: [add({ all: [] }, {}, { as: "first" }).n] }).n });
  const { engine, backend, log } = setUp(build);
  backend.held.add("first@1");
  const ended = engine.run();
  await vi.waitFor(() => expect(log).toContain("submit first@1"));
  engine.drain();
  backend.finish("first@1");
  expect(await ended).toBe("stopped");
  expect(log).not.toContain("submit add@1");
});

test("a backend that breaks ends the engine with its error, also before anything was handed over", async () => {
  const error = new WfError("WF_LAUNCHER", "it died");
  const { engine, backend, log, memory } = setUp(() => ({ n: add({ all: [] }).n }));
  memory.note([{ type: "attempt.submitted", task: "add", attempt: "add@1", job: "job-add@1", number: 1 }]);
  backend.adopt = async () => {
    backend.tell({ type: "broken", error });
    await new Promise((resolve) => setTimeout(resolve, 5));
    return new Map([["add@1", "running" as const]]);
  };
  await expect(engine.run()).rejects.toBe(error);
  expect(log).toEqual(["open", "close"]);
});

test("what cannot be handed over or stored ends the engine, and nothing is done that is not stored", async () => {
  const refused = setUp(() => ({ n: add({ all: [] }).n }));
  refused.backend.submit = async () => Promise.reject(new Error("no room"));
  await expect(refused.engine.run()).rejects.toThrow("no room");
  const unstored = setUp(() => ({ n: add({ all: [] }).n }), {
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

const pair = () => ({ a: add({ all: [] }, {}, { as: "plain" }).n, b: add({ all: [] }, {}, { as: "needy" }).n });

test("a runtime is prepared once, while tasks that need none run; theirs get its folder on PATH", async () => {
  const log: string[] = [];
  let finish: (() => void) | undefined;
  const preparer: RuntimePreparer = {
    ...ready,
    find: async () => null,
    prepare: (_wish, onProgress) => {
      log.push("prepare");
      onProgress({ says: "builds", percent: 50 });
      return new Promise((resolve) => {
        finish = () => resolve(runtime);
      });
    },
  };
  const both = () => ({ ...pair(), c: add({ all: [] }, {}, { as: "needy2" }).n });
  const { engine, backend, memory } = setUp(both, { preparer }, ["needy", "needy2"]);
  const paths = new Map<string, unknown>();
  const submit = backend.submit.bind(backend);
  backend.submit = async (jobs) => {
    for (const { attempt, path } of jobs.flatMap(({ tasks }) => tasks)) paths.set(attempt, path);
    await submit(jobs);
  };
  const ended = engine.run();
  await vi.waitFor(() => expect(memory.ends()).toEqual({ plain: "done" }));
  expect(paths).toEqual(new Map([["plain@1", undefined]]));
  finish?.();
  expect(await ended).toBe("succeeded");
  expect(log).toEqual(["prepare"]);
  expect(paths.get("needy@1")).toEqual([runtime.bin]);
  expect(paths.get("needy2@1")).toEqual([runtime.bin]);
  expect(memory.ofType("runtime.preparing")).toMatchObject([{ stage: "needy", says: "builds", percent: 50 }]);
  expect(memory.ofType("runtime.ready")).toMatchObject([{ runtime: "k", how: "venv", wasReady: false }]);
});

test("a runtime that cannot be had lets what runs end, and then ends the run with its reason", async () => {
  const error = new WfError("WF_RUNTIME_UNAVAILABLE", "no numpy");
  let fail: (() => void) | undefined;
  const prepare = () =>
    new Promise<never>((_, reject) => {
      fail = () => reject(error);
    });
  const preparer: RuntimePreparer = { ...ready, find: async () => null, prepare };
  const { engine, backend, log, memory } = setUp(pair, { preparer }, ["needy"]);
  backend.held.add("plain@1");
  const ended = engine.run();
  await vi.waitFor(() => expect(log).toContain("submit plain@1"));
  backend.tell({ type: "started", attempt: "plain@1", startedAt: 0 });
  await vi.waitFor(() => expect(memory.ofType("attempt.started")).toHaveLength(1));
  fail?.();
  await new Promise((resolve) => setTimeout(resolve, 5));
  backend.finish("plain@1");
  await expect(ended).rejects.toBe(error);
  expect(memory.ends()).toEqual({ plain: "done" });
  expect(log).not.toContain("submit needy@1");

  const again = setUp(pair, { memory }, ["needy"]);
  expect(await again.engine.run()).toBe("succeeded");
  expect(memory.ofType("runtime.ready")).toMatchObject([{ wasReady: true }]);
});

test("stopping ends a preparation, and known results need none", async () => {
  let isStopped = false;
  const endless: RuntimePreparer = {
    ...ready,
    find: async () => null,
    prepare: (_wish, _onProgress, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          isStopped = true;
          reject(signal.reason);
        });
      }),
  };
  const { engine, memory } = setUp(pair, { preparer: endless }, ["needy"]);
  const ended = engine.run();
  await vi.waitFor(() => expect(memory.ends()).toEqual({ plain: "done" }));
  engine.drain();
  expect(await ended).toBe("stopped");
  await vi.waitFor(() => expect(isStopped).toBe(true));

  const resumed = setUp(pair, { memory }, ["needy"]);
  expect(await resumed.engine.run()).toBe("succeeded");
  const replayed = setUp(pair, { memory, preparer: endless }, ["needy"]);
  expect(await replayed.engine.run()).toBe("succeeded");
});

test("after the end nothing is written any more", async () => {
  const { engine, backend, memory } = setUp(() => ({ n: add({ all: [] }).n }));
  await engine.run();
  const facts = memory.facts.length;
  backend.finish("add@1");
  engine.cancel();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(memory.facts).toHaveLength(facts);
});
