import type { Adoption, Backend, BackendEvent, LeftInQueue, RuntimePreparer } from "@wf/backend";
import type { Ref } from "@wf/core";
import type { PlannedStage } from "@wf/planner";
import { type JobSpec, type RuntimeWish, stageOfTask, taskOfAttempt, WfError } from "@wf/protocol";
import { type AdoptedAttempt, adoptAttempts } from "./adoption.ts";
import { type Advanced, advance } from "./advance.ts";
import type { AttemptOf, Effects, JobToSubmit, RunEvent, RunStatus } from "./effects.ts";
import type { Fact } from "./fact.ts";
import { glueRecord } from "./glue-record.ts";
import { jobResources } from "./job-resources.ts";
import { nextTurn } from "./next-turn.ts";
import type { Clock, FnHost, Journal, OpenAttempt } from "./ports.ts";
import { Preparations } from "./preparations.ts";
import { RunMachine } from "./run-machine.ts";
import type { RunOptions } from "./run-options.ts";
import { inputValues, paramOf, type SpecContext, taskSpec } from "./task-spec.ts";

type HeldEvent = Extract<BackendEvent, { type: "held" }>;

/** For what waits in a queue elsewhere to be taken out of it. */
const CLOSING_MS = 30_000;

/** Of an attempt that ended well, the backend will tell how its job ended. */
const HAS_RECORD: ReadonlySet<Adoption | undefined> = new Set<Adoption>(["finished", "running"]);

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
  /** By the job that somebody has to release. */
  readonly #held = new Map<string, HeldEvent>();
  #machine: RunMachine | undefined;
  #isRewound = false;
  #isConfirming = false;
  /** Asks of the backend that a run which has ended still waits for. */
  #cancelling: Promise<void> = Promise.resolve();
  #events: RunEvent[] = [];
  #turnIsDue = false;
  #isOver = false;
  #opened: Promise<void> | undefined;
  #wake: NodeJS.Timeout | undefined;
  /** Why the run is being drained: it cannot go on, but what runs may end. */
  #unavailable: unknown;
  #isStopping = false;
  #isAnothers = false;
  #left: LeftInQueue | null = null;
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
      this.#machine = new RunMachine(
        this.#options,
        await this.#adopt(memory.openAttempts(), memory.provisionalSuccesses()),
      );
      this.#push({ type: "wake", nowMs: clock.now() });
      return await ended;
    } finally {
      this.#isOver = true;
      clearTimeout(this.#wake);
      await this.#cancelling;
      const waiting = this.#isAnothers ? "left" : "dropped";
      if (this.#opened) this.#left = await backend.close(AbortSignal.timeout(CLOSING_MS), waiting);
      this.#life.abort();
      await this.#options.fnHost.close();
    }
  }

  /** Hands over nothing more; what runs ends by itself. */
  drain(): void {
    this.#stop("drain", null);
  }

  /** Ends what runs. */
  cancel(): void {
    this.#stop("cancel", null);
  }

  /** Something around the run broke, so that it cannot go on. What runs is left to run. */
  giveUp(error: unknown): void {
    this.#isAnothers = error instanceof WfError && error.code === "WF_RUN_OWNED";
    this.#settled?.reject(error);
  }

  /** What is left in the queue of a run that has broken off; null where that is nothing. */
  get leftInQueue(): LeftInQueue | null {
    return this.#left;
  }

  #stop(how: "drain" | "cancel", why: string | null): void {
    this.#isStopping = true;
    this.#push({ type: how });
    try {
      this.#tell({ type: "run.stopping", how, why });
      for (const held of this.#held.values()) this.#tellHeld(held);
    } catch (error) {
      this.giveUp(error);
    }
  }

  #tellHeld({ attempts, queueJob, reason }: HeldEvent): void {
    const tasks = attempts.map((attempt) => ({ attempt, task: taskOfAttempt(attempt) }));
    this.#tell({ type: "attempts.held", attempts: tasks, queueJob, reason, isTakenBack: this.#isStopping });
  }

  /** It cannot go on, but what runs may end first. */
  #stopFor(error: unknown): void {
    if (this.#isOver || this.#unavailable !== undefined) return;
    this.#unavailable = error;
    this.#stop("drain", error instanceof Error ? error.message : String(error));
  }

  output(name: string) {
    return (this.#machine as RunMachine).output(name);
  }

  /** What a ref of the workflow itself stands for, when the run has succeeded. */
  resolve(ref: Ref) {
    return (this.#machine as RunMachine).resolve(ref);
  }

  /** Of successes that are provisional, the backend will tell how their jobs ended. */
  async #adopt(open: readonly OpenAttempt[], provisional: readonly OpenAttempt[]): Promise<readonly AdoptedAttempt[]> {
    const names = [...open, ...provisional].filter(({ task }) => !this.#isGlue(task)).map(({ attempt }) => attempt);
    const fates: ReadonlyMap<string, Adoption> =
      names.length === 0 ? new Map() : await (await this.#backend()).adopt(names, this.#life.signal);
    const { run, host, clock } = this.#options;
    const { adopted, events } = adoptAttempts(open, fates, { run, host, nowMs: clock.now() });
    for (const event of events) this.#push(event);
    // What is absent is unknown: it is no word against a success.
    const forgotten = provisional
      .map(({ attempt }) => attempt)
      .filter((attempt) => !HAS_RECORD.has(fates.get(attempt)));
    if (forgotten.length > 0) this.#push({ type: "confirmed", attempts: forgotten });
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
    const stage = this.#options.plan.stages.get(stageOfTask(task));
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
      case "held":
        this.#push(event);
        this.#held.set(event.queueJob, event);
        this.#tellHeld(event);
        return;
      case "released":
        this.#push(event);
        this.#held.delete(event.queueJob);
        return;
      case "finished":
        for (const [job, { attempts }] of this.#held) if (attempts.includes(event.attempt)) this.#held.delete(job);
        this.#push({ ...event, nowMs: this.#options.clock.now() });
        return;
      case "revoked":
        this.#push({ ...event, nowMs: this.#options.clock.now() });
        return;
      case "confirmed":
        this.#push(event);
        return;
      case "broken":
        this.#settled?.reject(event.error);
        return;
    }
  }

  #push(event: RunEvent): void {
    this.#events.push(event);
    this.#planTurn();
  }

  #planTurn(): void {
    if (this.#turnIsDue) return;
    this.#turnIsDue = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#turnIsDue = false;
    if (!this.#machine || this.#isOver) return;
    try {
      const { now, later } = nextTurn(this.#events);
      this.#events = later;
      if (later.length > 0) this.#planTurn();
      const { machine, noted, effects } = this.#decide(this.#machine, now);
      this.#isRewound ||= machine !== this.#machine;
      this.#machine = machine;
      for (const fact of [...noted, ...effects.facts]) this.#show(fact);
      this.#carryOut(effects);
    } catch (error) {
      this.#settled?.reject(error);
    }
  }

  #decide(machine: RunMachine, events: readonly RunEvent[]): Advanced {
    const { journal } = this.#options;
    let advanced: Advanced | undefined;
    journal.atomically(() => {
      advanced = advance(machine, this.#options, events, (fact) => journal.note(fact));
      for (const fact of advanced.effects.facts) journal.note(fact);
    });
    if (!advanced) throw new WfError("WF_INTERNAL", "the journal did not do its work");
    return advanced;
  }

  #carryOut(effects: Effects): void {
    const failed = (error: unknown) => this.#settled?.reject(error);
    const { signal } = this.#life;
    if (effects.submit.length > 0) {
      const jobs = effects.submit.map((job) => this.#jobSpec(job));
      this.#backend()
        .then((backend) => backend.submit(jobs, signal))
        .catch((error: unknown) => {
          this.#push({ type: "not-taken", attempts: jobs.flatMap(({ tasks }) => tasks.map(({ attempt }) => attempt)) });
          this.#stopFor(error);
        });
    }
    for (const stage of effects.prepare) void this.#prepare(stage);
    for (const work of effects.glue) this.#runGlue(work).catch(failed);
    for (const attempt of effects.cancel) this.#glue.get(attempt)?.abort();
    const cancelled = effects.cancel.filter((attempt) => !this.#glue.has(attempt));
    if (cancelled.length > 0) {
      this.#cancelling = this.#backend()
        .then((backend) => backend.cancel(cancelled, signal))
        .catch(failed);
    }
    this.#confirm(effects.confirm);
    clearTimeout(this.#wake);
    if (effects.wakeAtMs !== null) {
      const delay = Math.max(0, effects.wakeAtMs - this.#options.clock.now());
      this.#wake = setTimeout(() => this.#push({ type: "wake", nowMs: this.#options.clock.now() }), delay + 1);
    }
    if (!effects.ended) return;
    if (this.#unavailable === undefined) this.#settled?.resolve(effects.ended);
    else this.#settled?.reject(this.#unavailable);
  }

  /** What an earlier machine of this engine has told is not told again. */
  #show(fact: Fact): void {
    const isTold = this.#isRewound && fact.type === "task.ended" && fact.replayed === true;
    if (!isTold) this.#options.onFact(fact);
  }

  #confirm(successes: number): void {
    if (successes > 0 && !this.#isConfirming) {
      this.#show({ type: "run.confirming", successes });
      this.#options.backend.confirm?.();
    }
    this.#isConfirming = successes > 0;
  }

  /** Where a runtime cannot be had, what runs may finish; then the run ends with the reason, and can be resumed. */
  async #prepare({ node, wish }: PlannedStage): Promise<void> {
    try {
      await this.#preparations.prepare(node.id, wish as RuntimeWish, this.#life.signal);
      this.#push({ type: "prepared", stage: node.id });
    } catch (error) {
      this.#stopFor(error);
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
    return {
      version: 1,
      run,
      job,
      storage,
      ...jobResources(tasks),
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
