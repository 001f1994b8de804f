import type { Adoption, Backend, BackendEvent, JobSpec, RuntimePreparer } from "@wf/backend";
import { type Ref, type RuntimeWish, totalOf, WfError } from "@wf/core";
import type { PlannedStage } from "@wf/planner";
import { type AdoptedAttempt, adoptAttempts } from "./adoption.ts";
import { taskOfAttempt } from "./attempt-name.ts";
import type { AttemptOf, Effects, JobToSubmit, RunEvent, RunStatus } from "./effects.ts";
import type { Fact } from "./fact.ts";
import { glueRecord } from "./glue-record.ts";
import type { Clock, FnHost, Journal, OpenAttempt } from "./ports.ts";
import { Preparations } from "./preparations.ts";
import { RunMachine } from "./run-machine.ts";
import type { RunOptions } from "./run-options.ts";
import { inputValues, paramOf, type SpecContext, taskSpec } from "./task-spec.ts";

export interface EngineOptions extends RunOptions {
  readonly backend: Backend;
  readonly journal: Journal;
  readonly fnHost: FnHost;
  readonly preparer: RuntimePreparer;
  readonly spec: SpecContext;
  /** The site's storage. */
  readonly storage: string;
  readonly host: string;
  readonly clock: Clock;
  /** Sees every fact after it was stored. */
  readonly onFact: (fact: Fact) => void;
}

/**
 * Carries a run out: takes events from the backend, lets the machine say what follows, stores the facts, and only
 * then does what must be done.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #life = new AbortController();
  readonly #glue = new Map<string, AbortController>();
  readonly #preparations: Preparations;
  #machine: RunMachine | undefined;
  #events: RunEvent[] = [];
  #turnIsDue = false;
  #isOver = false;
  #opened: Promise<void> | undefined;
  #wake: NodeJS.Timeout | undefined;
  /** Why the run is being drained: it cannot go on, but what runs may end. */
  #unavailable: unknown;
  #settled: { resolve(status: RunStatus): void; reject(error: unknown): void } | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#preparations = new Preparations(options.preparer, options.clock, (fact) => this.#tell(fact));
  }

  /** Runs to the end. Attempts that an earlier engine left behind are adopted. */
  async run(): Promise<RunStatus> {
    const { backend, memory, clock } = this.#options;
    const ended = new Promise<RunStatus>((resolve, reject) => {
      this.#settled = { resolve, reject };
    });
    // A backend may break before anybody waits for the end.
    ended.catch(() => undefined);
    try {
      this.#machine = new RunMachine(this.#options, await this.#adopt(memory.openAttempts()));
      this.#push({ type: "wake", nowMs: clock.now() });
      return await ended;
    } finally {
      this.#isOver = true;
      clearTimeout(this.#wake);
      if (this.#opened) await backend.close(AbortSignal.timeout(10_000));
      this.#life.abort();
      await this.#options.fnHost.close();
    }
  }

  /** Hands over nothing more; what runs ends by itself. */
  drain(): void {
    this.#push({ type: "drain" });
  }

  /** Ends what runs. */
  cancel(): void {
    this.#push({ type: "cancel" });
  }

  /** Something around the run broke, so that it cannot go on. What runs is left to run. */
  giveUp(error: unknown): void {
    this.#settled?.reject(error);
  }

  output(name: string) {
    return (this.#machine as RunMachine).output(name);
  }

  /** What a ref of the workflow itself stands for, when the run has succeeded. */
  resolve(ref: Ref) {
    return (this.#machine as RunMachine).resolve(ref);
  }

  async #adopt(open: readonly OpenAttempt[]): Promise<readonly AdoptedAttempt[]> {
    const names = open.filter(({ task }) => !this.#isGlue(task)).map(({ attempt }) => attempt);
    const fates: ReadonlyMap<string, Adoption> =
      names.length === 0 ? new Map() : await (await this.#backend()).adopt(names, this.#life.signal);
    const { run, host, clock } = this.#options;
    const { adopted, events } = adoptAttempts(open, fates, { run, host, nowMs: clock.now() });
    for (const event of events) this.#push(event);
    return adopted;
  }

  /** A run whose results are all known needs no backend, so it is opened when the first job is there. */
  async #backend(): Promise<Backend> {
    const { backend } = this.#options;
    this.#opened ??= backend.open((event) => this.#onBackendEvent(event), this.#life.signal);
    await this.#opened;
    return backend;
  }

  #isGlue(task: string): boolean {
    const stage = this.#options.plan.stages.get(task.replace(/(\.\d+)+$/, ""));
    return stage?.node.declaration.runtime.kind === "fn";
  }

  #onBackendEvent(event: BackendEvent): void {
    switch (event.type) {
      case "queued":
        this.#tell({
          type: "attempts.queued",
          attempts: event.attempts.map((queued) => ({ ...queued, task: taskOfAttempt(queued.attempt) })),
        });
        return;
      case "started":
        this.#push(event);
        return;
      case "finished":
        this.#push({ ...event, nowMs: this.#options.clock.now() });
        return;
      case "broken":
        this.#settled?.reject(event.error);
        return;
    }
  }

  #push(event: RunEvent): void {
    this.#events.push(event);
    if (this.#turnIsDue) return;
    this.#turnIsDue = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#turnIsDue = false;
    if (!this.#machine || this.#isOver) return;
    try {
      const events = this.#events;
      this.#events = [];
      const effects = this.#decide(this.#machine, events);
      for (const fact of effects.facts) this.#options.onFact(fact);
      this.#carryOut(effects);
    } catch (error) {
      this.#settled?.reject(error);
    }
  }

  #decide(machine: RunMachine, events: readonly RunEvent[]): Effects {
    const { journal } = this.#options;
    let effects: Effects | undefined;
    journal.atomically(() => {
      effects = machine.handle(events);
      for (const fact of effects.facts) journal.note(fact);
    });
    if (!effects) throw new WfError("WF_INTERNAL", "the journal did not do its work");
    return effects;
  }

  #carryOut(effects: Effects): void {
    const failed = (error: unknown) => this.#settled?.reject(error);
    const { signal } = this.#life;
    if (effects.submit.length > 0) {
      const jobs = effects.submit.map((job) => this.#jobSpec(job));
      this.#backend()
        .then((backend) => backend.submit(jobs, signal))
        .catch(failed);
    }
    for (const stage of effects.prepare) void this.#prepare(stage);
    for (const work of effects.glue) this.#runGlue(work).catch(failed);
    for (const attempt of effects.cancel) this.#glue.get(attempt)?.abort();
    const cancelled = effects.cancel.filter((attempt) => !this.#glue.has(attempt));
    if (cancelled.length > 0) {
      this.#backend()
        .then((backend) => backend.cancel(cancelled, signal))
        .catch(failed);
    }
    clearTimeout(this.#wake);
    if (effects.wakeAtMs !== null) {
      const delay = Math.max(0, effects.wakeAtMs - this.#options.clock.now());
      this.#wake = setTimeout(() => this.#push({ type: "wake", nowMs: this.#options.clock.now() }), delay + 1);
    }
    if (!effects.ended) return;
    if (this.#unavailable === undefined) this.#settled?.resolve(effects.ended);
    else this.#settled?.reject(this.#unavailable);
  }

  /** Where a runtime cannot be had, what runs may finish; then the run ends with the reason, and can be resumed. */
  async #prepare({ node, wish }: PlannedStage): Promise<void> {
    try {
      await this.#preparations.prepare(node.id, wish as RuntimeWish, this.#life.signal);
      this.#push({ type: "prepared", stage: node.id });
    } catch (error) {
      if (this.#isOver) return;
      this.#unavailable ??= error;
      this.drain();
    }
  }

  /** A fact that follows from no event of a task. */
  #tell(fact: Fact): void {
    if (this.#isOver) return;
    const { journal, onFact } = this.#options;
    journal.atomically(() => journal.note(fact));
    onFact(fact);
  }

  #jobSpec({ job, tasks }: JobToSubmit): JobSpec {
    const { run, storage, spec } = this.#options;
    const { cpus, gpus } = totalOf((tasks[0] as AttemptOf).stage.resources);
    const memoryBytes = Math.max(...tasks.map(({ stage }) => totalOf(stage.resources).memoryBytes));
    const diskBytes = tasks.reduce((sum, { stage }) => sum + stage.resources.diskBytes, 0);
    return {
      version: 1,
      run,
      job,
      storage,
      cpus,
      memoryBytes,
      gpus,
      ...(diskBytes === 0 ? {} : { diskBytes }),
      tasks: tasks.map((task) => taskSpec(task, spec, this.#preparations.of(task.stage.node.id))),
    };
  }

  async #runGlue({ task, attempt, stage }: AttemptOf): Promise<void> {
    const { fnHost, spec, clock, run, host } = this.#options;
    const startedAt = clock.now() / 1000;
    this.#push({ type: "started", attempt, startedAt });
    const life = new AbortController();
    this.#glue.set(attempt, life);
    const result = await fnHost.run(
      {
        task: task.node.id,
        attempt,
        inputs: inputValues(task, spec.artifacts),
        params: Object.fromEntries(Object.keys(task.params).map((name) => [name, paramOf(task, name)])),
        timeLimitSeconds: stage.resources.timeLimitSeconds,
      },
      AbortSignal.any([this.#life.signal, life.signal]),
    );
    this.#glue.delete(attempt);
    const nowMs = clock.now();
    const record = glueRecord(result, { run, task: task.name, attempt, host, startedAt, endedAt: nowMs / 1000 });
    this.#push({ type: "finished", attempt, record, nowMs });
  }
}
