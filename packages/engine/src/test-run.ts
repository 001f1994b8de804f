import type { Graph } from "@wf/core";
import { itemsOf, planStages, type Resolved, type ValueOps } from "@wf/planner";
import { canonical, type Json, sha256, stageOfTask } from "@wf/protocol";
import { LOCAL_SITE, type NamedSite } from "@wf/site";
import { adoptAttempts } from "./adoption.ts";
import { advance } from "./advance.ts";
import type { Effects, RunEvent, RunStatus } from "./effects.ts";
import { RunMachine } from "./run-machine.ts";
import type { RunOptions } from "./run-options.ts";
import { type Behaviour, TestSite } from "./test-site.ts";
import { TestStore } from "./test-store.ts";

/** Values that are all JSON; manifests are the data package's business. */
const notHere = () => {
  throw new Error("these tests have JSON values only");
};
export const jsonOps: ValueOps = {
  rows: notHere,
  chunks: notHere,
  column: notHere,
  pick: notHere,
  merge: notHere,
  table: notHere,
  files: notHere,
  hash: (value) => sha256(canonical(identity(value))),
};

function identity(value: Resolved): Json {
  if (value.kind === "list") return itemsOf(value).map(identity);
  return value.kind === "json" ? ["json", value.value] : [value.kind];
}

/** A value as JSON; what is no JSON by its kind. */
export function plain(value: Resolved | undefined): unknown {
  if (value?.kind === "list") return itemsOf(value).map(plain);
  return value?.kind === "json" ? value.value : value?.kind;
}

export function testSite(tasksPerJob: number): NamedSite {
  const strategy = tasksPerJob > 1 ? "horizontal" : "none";
  return { ...LOCAL_SITE, clustering: { strategy, tasksPerJob, stages: {} } };
}

export interface TestOptions {
  readonly behaviour: Behaviour;
  readonly tasksPerJob?: number;
  readonly slots?: number;
  readonly mostInFlight?: number;
  readonly retries?: number;
  readonly keepGoing?: boolean;
  readonly useCache?: boolean;
  /** How long the runtime of real tasks takes to be prepared. Default: they need none. */
  readonly preparingSeconds?: number | null;
  /** How long after a success it shows how its job ended. Default: successes are final at once. */
  readonly confirmingSeconds?: number | null;
  /** How many events an engine takes at once. */
  readonly batch?: () => number;
}

/** What a run stands on, but for what it remembers. */
export type RunSettings = Omit<RunOptions, "memory">;

export function runSettings(graph: Graph, options: Omit<TestOptions, "behaviour">): RunSettings {
  const { tasksPerJob = 1, slots = 2, preparingSeconds = null } = options;
  const wish = { requirements: ["numpy"], requiresPython: null, project: "/project" };
  const real = [...graph.nodes.values()].filter(
    (node) => node.kind === "task" && node.declaration.runtime.kind !== "fn",
  );
  const wishes = new Map(preparingSeconds === null ? [] : real.map(({ id }) => [id, wish]));
  const site = testSite(tasksPerJob);
  return {
    run: "run",
    graph,
    plan: planStages({ graph, site, capacity: null, code: new Map(), wishes, bundleHash: "bundle" }),
    inputs: new Map(),
    ops: jsonOps,
    useCache: options.useCache ?? false,
    keepGoing: options.keepGoing ?? false,
    retries: options.retries ?? 0,
    slots,
    mostInFlight: options.mostInFlight ?? 8,
    mostMemoryBytes: () => Number.POSITIVE_INFINITY,
    random: () => 0,
  };
}

/** A run with everything that outlives its engines. */
export class TestRun {
  readonly store = new TestStore();
  readonly site: TestSite;
  readonly #graph: Graph;
  readonly #options: RunOptions;
  readonly #batch: () => number;
  #machine: RunMachine | undefined;

  constructor(graph: Graph, options: TestOptions) {
    this.#graph = graph;
    this.#batch = options.batch ?? (() => 1);
    const { slots = 2, preparingSeconds, confirmingSeconds } = options;
    this.site = new TestSite(slots, options.behaviour, preparingSeconds ?? 0, confirmingSeconds);
    this.#options = { ...runSettings(graph, options), memory: this.store };
  }

  /** The value of an output, as the last engine knows it. */
  output(name: string): unknown {
    return plain(this.#machine?.output(name));
  }

  outputs(): Record<string, unknown> {
    return Object.fromEntries(Object.keys(this.#graph.outputs).map((name) => [name, this.output(name)]));
  }

  /**
   * One engine's life, as a walk from one moment to the next at which it could be killed: before its facts are
   * stored, after that, and between the jobs that it hands over.
   */
  *engine(orders: (step: number) => RunEvent | undefined = () => undefined): Generator<string, RunStatus> {
    let { machine, events } = this.#start();
    for (let step = 0; ; step++) {
      const order = orders(step);
      const heard = order ? [...events, order] : events;
      const advanced = advance(machine, this.#options, heard, (fact) => this.store.note([fact]));
      const { effects } = advanced;
      if (advanced.machine === machine) yield "decided";
      machine = advanced.machine;
      this.#machine = machine;
      this.store.note(effects.facts);
      yield "stored";
      yield* this.#carryOut(effects);
      if (effects.ended) {
        this.site.engineDied(false);
        return effects.ended;
      }
      events = this.site.next(effects.wakeAtMs, this.#batch()) ?? this.#hangs();
    }
  }

  /** Runs to the end, undisturbed. */
  finish(orders?: (step: number) => RunEvent | undefined): { readonly status: RunStatus; readonly moments: number } {
    const engine = this.engine(orders);
    for (let moments = 0; ; moments++) {
      const moment = engine.next();
      if (moment.done) return { status: moment.value, moments };
    }
  }

  #start(): { readonly machine: RunMachine; readonly events: RunEvent[] } {
    const open = this.store.openAttempts();
    const isGlue = (task: string) =>
      this.#options.plan.stages.get(stageOfTask(task))?.node.declaration.runtime.kind === "fn";
    const toAdopt = [...open, ...this.store.provisionalSuccesses()].filter(({ task }) => !isGlue(task));
    const fates = this.site.adopt(toAdopt.map(({ attempt }) => attempt));
    const { adopted, events } = adoptAttempts(open, fates, { run: "run", host: "here", nowMs: this.site.nowMs });
    const machine = new RunMachine(this.#options, adopted);
    this.#machine = machine;
    return { machine, events: [...events, { type: "wake", nowMs: this.site.nowMs }] };
  }

  *#carryOut(effects: Effects): Generator<string> {
    for (const job of effects.submit) {
      this.site.submit(job);
      yield "handed over";
    }
    for (const { node } of effects.prepare) this.site.prepare(node.id);
    for (const work of effects.glue) this.site.startGlue(work);
    this.site.cancel(effects.cancel);
  }

  #hangs(): never {
    throw new Error("nothing runs and nothing will happen, but the run has not ended");
  }
}
