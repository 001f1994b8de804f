import type { Adoption, Backend, BackendEvent, LeftInQueue, RuntimePreparer } from "@wf/backend";
import { fn, type Graph, json, many, task, workflow } from "@wf/core";
import { placeFiles, planStages } from "@wf/planner";
import { type FailureClass, type JobSpec, sha256, type Value } from "@wf/protocol";
import { LOCAL_SITE } from "@wf/site";
import { expect } from "vitest";
import { z } from "zod";
import { Engine, type EngineOptions } from "./engine.ts";
import type { Fact } from "./fact.ts";
import type { FnHost } from "./ports.ts";
import { jsonOps, plain } from "./test-run.ts";
import { testRecord } from "./test-site.ts";
import { TestStore } from "./test-store.ts";

const n = json(z.number());
export const add = task({
  name: "add",
  inputs: { all: many(n) },
  outputs: { n },
  command: ({ inputs }) => ["add", inputs.all],
});
export const glue = fn({ name: "glue", inputs: { all: many(n) }, outputs: { n }, run: () => ({ n: 0 }) });
const value = (number: number): Value => ({ kind: "json", value: number, hash: sha256(String(number)), size: 1 });
export const usage = { userSeconds: 0, systemSeconds: 0, peakMemoryBytes: null, readBytes: null, writtenBytes: null };

/** When all that was told before has reached the engine. */
export const afterTwoTurns = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Runs nothing: it answers each attempt with a record, unless the test holds it back. */
class TestBackend implements Backend {
  readonly name = "test";
  readonly capabilities = { capacity: null, maxInFlight: 8, arrays: false, fileTransfer: false, liveMetrics: false };
  readonly log: string[];
  readonly fates = new Map<string, Adoption>();
  readonly held = new Set<string>();
  readonly failing = new Set<string>();
  tell: (event: BackendEvent) => void = () => undefined;
  closed: "dropped" | "left" | undefined;

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
  async close(_signal: AbortSignal, waiting?: "dropped" | "left"): Promise<LeftInQueue> {
    this.log.push("close");
    this.closed = waiting;
    return { jobs: ["7"], remove: "remove 7" };
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

export const runtime = {
  key: "k",
  how: "venv",
  interpreter: "/rt/k/bin/python3",
  bin: "/rt/k/bin",
  python: "3.11.2",
  packages: { numpy: "1.24" },
} as const;
export const ready: RuntimePreparer = {
  find: async () => runtime,
  prepare: async () => runtime,
  foresee: async () => ({ state: "ready", runtime }),
};
const wish = { requirements: ["numpy"], requiresPython: null, project: "/project" };

/** `needing` are the stages that need a runtime. */
export function setUpEngine(
  build: () => object,
  changes: Partial<EngineOptions> = {},
  needing: readonly string[] = [],
) {
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
    mostMemoryBytes: () => Number.POSITIVE_INFINITY,
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
