import { type Ref, type TaskRecord, type Value, WfError } from "@wf/core";
import {
  decide,
  type Known,
  type KnownResult,
  type PlannedStage,
  type Resolved,
  type TaskInstance,
  Unfolding,
} from "@wf/planner";
import { AdoptedAttempts } from "./adopted-attempts.ts";
import type { AdoptedAttempt } from "./adoption.ts";
import { retryFact, slicedFact } from "./again-facts.ts";
import { taskOfAttempt } from "./attempt-name.ts";
import { Backlog } from "./backlog.ts";
import { whyParamsAreWrong } from "./check-params.ts";
import { checkRecord } from "./check-record.ts";
import type { AttemptOf, Effects, JobToSubmit, RunEvent, RunStatus } from "./effects.ts";
import { endedFact } from "./ended-fact.ts";
import type { Fact, FailureCause } from "./fact.ts";
import { growthFacts } from "./growth-facts.ts";
import { HandingOver } from "./handing-over.ts";
import { HeldStages } from "./held-stages.ts";
import { lastMetrics } from "./last-metrics.ts";
import type { LiveTask } from "./live-task.ts";
import { resourcesAfter } from "./more-memory.ts";
import { OpenJobs } from "./open-jobs.ts";
import { readyFact } from "./ready-fact.ts";
import { ReadySet } from "./ready-set.ts";
import { RestingTasks } from "./resting-tasks.ts";
import { retryPolicy } from "./retry-policy.ts";
import type { RunOptions } from "./run-options.ts";
import { AT_THE_START, isResumable, progressAfter } from "./slices.ts";
import { IN_FLIGHT_STATES, transition } from "./task-life.ts";

/** How many tasks are looked at ahead of what can be handed over, so that the most urgent can be chosen. */
const LOOK_AHEAD = 4;
/** How many tasks are kept that wait for a runtime. They take no place from what can run, only memory. */
const MOST_HELD = 1000;
/** How many tasks may end at once because they are known. More wait for the next turn, so that a turn stays short. */
const MOST_KNOWN_A_TURN = 1000;

/**
 * A run as a state machine. It holds only what is active: tasks that have ended are forgotten here and remembered
 * in the store. It does nothing itself; every event gives effects.
 */
export class RunMachine {
  readonly #options: RunOptions;
  readonly #unfolding: Unfolding;
  readonly #known: Known;
  /** What became known in this turn, which the store does not know yet. */
  readonly #newlyKnown = new Map<string, KnownResult>();
  readonly #ready = new ReadySet<LiveTask>();
  readonly #live = new Map<string, LiveTask>();
  readonly #resting = new RestingTasks<LiveTask>();
  readonly #backlog = new Backlog();
  /** Attempts of an earlier engine: those under way, and those to hand over again under the same name. */
  readonly #adopted: AdoptedAttempts;
  readonly #handingOver: HandingOver;
  readonly #jobs = new OpenJobs();
  /** Glue runs beside the engine and takes no place from jobs, nor they from it. */
  readonly #glue = new OpenJobs();
  /** Enough tasks to fill the largest job for every place and one more. */
  readonly #fullJobs: number;
  readonly #held: HeldStages;
  #facts: Fact[] = [];
  #isDraining = false;
  #isCancelling = false;
  #hasFailed = false;
  #knownThisTurn = 0;

  constructor(options: RunOptions, adopted: readonly AdoptedAttempt[] = []) {
    this.#options = options;
    this.#known = { cached: (key) => this.#newlyKnown.get(key) ?? options.memory.cached(key) };
    this.#adopted = new AdoptedAttempts(adopted);
    this.#handingOver = new HandingOver(this.#adopted, (fact) => this.#facts.push(fact));
    const ranks = options.plan.stageGraph.ranks;
    this.#held = new HeldStages(options.plan.stages);
    this.#fullJobs =
      (options.slots + 1) * Math.max(1, ...[...options.plan.stages.values()].map((stage) => stage.tasksPerJob));
    this.#unfolding = new Unfolding(
      options.graph,
      options.inputs,
      options.ops,
      growthFacts((fact) => {
        if (fact.type === "run.broken" && !fact.tolerated) this.#hasFailed = true;
        this.#facts.push(fact);
      }, options.ops),
      (id) => ranks.get(id) ?? 0,
    );
  }

  /** Takes everything that has happened since the last call, in order. */
  handle(events: readonly RunEvent[]): Effects {
    for (const event of events) this.#take(event);
    const asked = (type: RunEvent["type"]) => events.some((event) => event.type === type);
    return this.#settle(asked("cancel") ? this.#underWay() : asked("drain") ? this.#handedOverOnly() : []);
  }

  #take(event: RunEvent): void {
    switch (event.type) {
      case "started":
        this.#onStarted(event.attempt, event.startedAt);
        break;
      case "finished":
        this.#onFinished(event.attempt, event.record, event.nowMs);
        break;
      case "wake":
        for (const task of this.#resting.wake(event.nowMs)) {
          task.state = transition(task.state, { type: "rested" }, task.policy);
          this.#ready.add(task.instance.node.id, task.stage.rank, task);
        }
        break;
      case "prepared":
        this.#held.release(event.stage);
        break;
      case "drain":
        this.#isDraining = true;
        break;
      case "cancel":
        this.#isDraining = true;
        this.#isCancelling = true;
        break;
    }
  }

  /** The value of an output of the workflow, when the run has succeeded. */
  output(name: string): Resolved {
    const output = this.#options.graph.outputs[name];
    return output ? this.resolve(output.ref) : { kind: "absent" };
  }

  /** What a ref of the workflow itself stands for, when the run has succeeded. */
  resolve(ref: Ref): Resolved {
    return this.#unfolding.resolve(ref);
  }

  #settle(cancel: readonly string[]): Effects {
    const submit: JobToSubmit[] = [];
    const glue: AttemptOf[] = [];
    this.#knownThisTurn = 0;
    if (this.#stopsHandingOver()) this.#dropWaiting();
    else this.#handOver(submit, glue);
    const facts = this.#facts;
    this.#facts = [];
    this.#newlyKnown.clear();
    return {
      facts,
      submit,
      glue,
      prepare: this.#held.ask(this.#ready),
      cancel,
      wakeAtMs: this.#hasMore() ? 0 : this.#resting.nextWakeMs(),
      ended: this.#end(),
    };
  }

  /** What runs or waits somewhere, also what an earlier engine left behind and this one has not come to. */
  #underWay(): string[] {
    const live = [...this.#live.values()].filter(({ state }) => IN_FLIGHT_STATES.has(state.name));
    return [...live.map(({ attempt }) => attempt), ...this.#adopted.underWay()];
  }

  /** What waits in the backend's stock: draining takes it back. An adopted attempt may run, so it stays. */
  #handedOverOnly(): string[] {
    return [...this.#live.values()]
      .filter(({ state, isAdopted, attempt }) => state.name === "submitted" && !isAdopted && this.#jobs.has(attempt))
      .map(({ attempt }) => attempt);
  }

  #hasMore(): boolean {
    return this.#knownThisTurn >= MOST_KNOWN_A_TURN;
  }

  #stopsHandingOver(): boolean {
    return this.#isDraining || (this.#hasFailed && !this.#options.keepGoing);
  }

  #dropWaiting(): void {
    for (const task of [...this.#ready.clear(), ...this.#resting.clear()]) this.#live.delete(task.instance.name);
  }

  #handOver(submit: JobToSubmit[], glue: AttemptOf[]): void {
    const limit = this.#backlog.limit(this.#options.slots, this.#options.mostInFlight);
    const window = LOOK_AHEAD * limit;
    for (;;) {
      this.#fill(window);
      if (this.#stopsHandingOver()) {
        this.#dropWaiting();
        return;
      }
      const before = this.#ready.size;
      for (const stage of this.#ready.stages()) {
        if (!this.#held.has(stage)) this.#handOverStage(stage, limit, submit, glue);
      }
      if (this.#ready.size === before) return;
    }
  }

  #handOverStage(stage: string, limit: number, submit: JobToSubmit[], glue: AttemptOf[]): void {
    const planned = this.#options.plan.stages.get(stage) as PlannedStage;
    const isGlue = planned.node.declaration.runtime.kind === "fn";
    const open = isGlue ? this.#glue : this.#jobs;
    while (open.size < limit && this.#ready.count(stage) > 0) {
      if (isGlue) {
        const [task] = this.#ready.take(stage, 1) as [LiveTask];
        glue.push(...this.#handingOver.job("fn", [task], this.#glue).tasks);
        continue;
      }
      // A job that is not full goes only when a place would stay empty.
      if (this.#ready.count(stage) < planned.tasksPerJob && this.#jobs.size >= this.#options.slots) return;
      submit.push(this.#handingOver.job("job", this.#ready.take(stage, planned.tasksPerJob), this.#jobs));
    }
  }

  /** Looks ahead; tasks whose results are known end here and may make others ready. */
  #fill(window: number): void {
    const most = Math.max(window, this.#fullJobs);
    while (!this.#hasMore()) {
      const held = this.#held.waiting(this.#ready);
      if (held >= MOST_HELD || this.#ready.size - held >= most) return;
      const instance = this.#unfolding.next();
      if (!instance) return;
      const task = this.#arrive(instance);
      if (task) this.#ready.add(instance.node.id, task.stage.rank, task);
      else this.#knownThisTurn++;
    }
  }

  /** A task is ready: it has ended before, is under way, is known from an earlier run, or has to run. */
  #arrive(instance: TaskInstance): LiveTask | undefined {
    const { memory, plan, ops, useCache } = this.#options;
    const stage = plan.stages.get(instance.node.id) as PlannedStage;
    const recalled = memory.recall(instance.name);
    if (recalled) {
      this.#facts.push(endedFact(instance, { state: "done", replayed: true }));
      this.#unfolding.succeeded(instance, recalled.outputs, recalled.metrics);
      return undefined;
    }
    const lost = this.#unfolding.isTolerated(instance) ? memory.failureOf(instance.name) : undefined;
    if (lost) {
      this.#facts.push(endedFact(instance, { state: "failed", cause: lost, tolerated: true, replayed: true }));
      this.#unfolding.failed(instance, lost.message);
      return undefined;
    }
    const decision = decide(instance, stage.keyParts, this.#known, ops, useCache);
    const adopted = this.#adopted.of(instance.name);
    if (!adopted)
      this.#facts.push(readyFact(instance, stage, decision, (ref) => this.#unfolding.originsOf(instance, ref)));
    if (!adopted && decision.action === "reuse") {
      const { outputs, metrics, run, task } = decision.from;
      this.#facts.push(
        endedFact(instance, {
          state: "cached",
          outputs: outputs as Record<string, Value>,
          splits: instance.node.outputSplits,
          key: decision.key,
          cachedFrom: { run, task },
        }),
      );
      this.#unfolding.succeeded(instance, outputs, metrics);
      return undefined;
    }
    const wrong = adopted ? undefined : whyParamsAreWrong(instance);
    if (wrong !== undefined) {
      this.#endFailed(instance, { root: instance.name, message: wrong });
      return undefined;
    }
    const retries = Math.max(instance.node.declaration.retries, this.#options.retries);
    const task: LiveTask = {
      instance,
      stage,
      key: decision.key,
      policy: retryPolicy(retries, this.#options.random),
      state: { name: "queued", attempts: memory.attemptsOf(instance.name), failures: {} },
      progress: isResumable(instance.node) ? memory.progressOf(instance.name) : AT_THE_START,
      attempt: "",
      isAdopted: false,
    };
    this.#live.set(instance.name, task);
    return adopted?.isUnderWay ? this.#adopt(task, adopted) : task;
  }

  #adopt(task: LiveTask, adopted: AdoptedAttempt): undefined {
    task.attempt = adopted.attempt;
    task.isAdopted = true;
    task.state = { name: "submitted", attempts: adopted.number, failures: {} };
    this.#jobs.join(`adopted-${adopted.attempt}`, adopted.attempt);
    const end = this.#adopted.take(adopted.task);
    if (end) this.#onFinished(adopted.attempt, end, end.endedAt * 1000);
    return undefined;
  }

  #onStarted(attempt: string, startedAt: number): void {
    const task = this.#taskOf(attempt);
    const state = task && transition(task.state, { type: "started" }, task.policy);
    if (!state || state === task.state) return;
    task.state = state;
    this.#facts.push({
      type: "attempt.started",
      task: task.instance.name,
      stage: task.instance.node.id,
      attempt,
      startedAt,
    });
  }

  #onFinished(attempt: string, reported: TaskRecord, nowMs: number): void {
    const task = this.#taskOf(attempt);
    if (!task) {
      this.#adopted.keepEnd(attempt, reported);
      return;
    }
    const record = checkRecord(task.instance.node, reported, task.progress);
    const state = transition(task.state, { type: "finished", record, nowMs }, task.policy);
    if (state === task.state) return;
    task.state = state;
    this.#glue.leave(attempt);
    if (this.#jobs.leave(attempt)) this.#backlog.observe(record.endedAt - record.startedAt);
    this.#facts.push({ type: "attempt.finished", task: task.instance.name, stage: task.instance.node.id, record });
    task.progress = progressAfter(task.progress, record);
    const resources = resourcesAfter(task.stage.resources, record, this.#options.mostMemoryBytes);
    task.stage = { ...task.stage, resources };
    if (task.state.name === "queued") this.#goOn(task, record);
    else if (task.state.name === "resting") this.#rest(task, record, nowMs);
    else if (task.state.name === "cancelled" && task.isAdopted && !this.#isDraining) this.#startOver(task);
    else this.#endTask(task, record);
  }

  /** Its next slice waits for a place like any other task. */
  #goOn(task: LiveTask, record: TaskRecord): void {
    this.#facts.push(slicedFact(task, record));
    if (this.#stopsHandingOver()) this.#live.delete(task.instance.name);
    else this.#ready.add(task.instance.node.id, task.stage.rank, task);
  }

  #rest(task: LiveTask, record: TaskRecord, nowMs: number): void {
    if (this.#stopsHandingOver()) {
      this.#live.delete(task.instance.name);
      return;
    }
    this.#facts.push(retryFact(task, record, nowMs));
    this.#resting.add(task, (task.state as { untilMs: number }).untilMs);
  }

  /** An earlier engine had asked for its end; this run goes on. */
  #startOver(task: LiveTask): void {
    const { instance, stage } = task;
    task.state = { name: "queued", attempts: this.#options.memory.attemptsOf(instance.name), failures: {} };
    this.#ready.add(instance.node.id, stage.rank, task);
  }

  #endTask(task: LiveTask, record: TaskRecord): void {
    const { instance, state } = task;
    this.#live.delete(instance.name);
    if (state.name === "done") {
      const { outputs } = record;
      const key = instance.node.declaration.cache === "never" ? null : task.key;
      this.#facts.push(endedFact(instance, { state: "done", outputs, splits: instance.node.outputSplits, key }));
      const metrics = { ...task.progress.metrics, ...lastMetrics(record) };
      const known = { outputs: outputs as Record<string, Resolved>, metrics };
      if (key !== null) this.#newlyKnown.set(key, { ...known, run: this.#options.run, task: instance.name });
      this.#unfolding.succeeded(instance, known.outputs, known.metrics);
      return;
    }
    const message = record.failure?.message ?? "";
    const cause: FailureCause = {
      root: instance.name,
      message,
      attempt: record.attempt,
      ...(record.failure ? { class: record.failure.class } : {}),
    };
    if (state.name === "cancelled" && this.#isDraining) {
      this.#facts.push(endedFact(instance, { state: "cancelled", cause }));
      return;
    }
    this.#endFailed(instance, cause);
  }

  #endFailed(instance: TaskInstance, cause: FailureCause): void {
    const isTolerated = this.#unfolding.isTolerated(instance);
    if (!isTolerated) this.#hasFailed = true;
    this.#facts.push(endedFact(instance, { state: "failed", cause, ...(isTolerated ? { tolerated: true } : {}) }));
    this.#unfolding.failed(instance, cause.message);
  }

  #taskOf(attempt: string): LiveTask | undefined {
    const task = this.#live.get(taskOfAttempt(attempt));
    return task?.attempt === attempt ? task : undefined;
  }

  #end(): RunStatus | null {
    if (this.#jobs.size + this.#glue.size + this.#ready.size + this.#resting.size > 0 || this.#hasMore()) return null;
    if (this.#unfolding.finished) return this.#hasFailed ? "failed" : "succeeded";
    if (this.#isCancelling) return "cancelled";
    if (this.#isDraining) return "stopped";
    if (this.#hasFailed) return "failed";
    throw new WfError("WF_INTERNAL", "nothing runs, nothing is ready, and the run has not ended");
  }
}
