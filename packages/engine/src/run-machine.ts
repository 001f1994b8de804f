import type { Ref } from "@wf/core";
import { type Known, type KnownResult, type Resolved, type TaskInstance, Unfolding } from "@wf/planner";
import { stageOfTask, type TaskRecord, taskOfAttempt, WfError } from "@wf/protocol";
import { AdoptedAttempts } from "./adopted-attempts.ts";
import { type AdoptedAttempt, isWorthAnother } from "./adoption.ts";
import { retryFact, slicedFact, unreachedFact } from "./again-facts.ts";
import { arrivalOf } from "./arrival.ts";
import { checkRecord } from "./check-record.ts";
import { Dispatch } from "./dispatch.ts";
import type { AttemptOf, Effects, FinishedEvent, JobToSubmit, RunEvent, RunStatus } from "./effects.ts";
import { endedFact } from "./ended-fact.ts";
import type { Fact, FailureCause, TaskEnd } from "./fact.ts";
import { causeOf } from "./failure-cause.ts";
import { growthFacts } from "./growth-facts.ts";
import { HandingOver } from "./handing-over.ts";
import { lastMetrics } from "./last-metrics.ts";
import type { LiveTask } from "./live-task.ts";
import { ProvisionalSuccesses } from "./provisional-successes.ts";
import { RestingTasks } from "./resting-tasks.ts";
import { revokedFact } from "./revoked-fact.ts";
import type { RunOptions } from "./run-options.ts";
import { progressAfter } from "./slices.ts";
import { stageAfter } from "./stage-after.ts";
import { StopOrders } from "./stop-orders.ts";
import { transition } from "./task-life.ts";

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
  readonly #live = new Map<string, LiveTask>();
  readonly #resting = new RestingTasks<LiveTask>();
  /** Attempts of an earlier engine: those under way, and those to hand over again under the same name. */
  readonly #adopted: AdoptedAttempts;
  readonly #dispatch: Dispatch;
  readonly #stop = new StopOrders();
  readonly #provisional: ProvisionalSuccesses;
  readonly #hasDoubts: boolean;
  readonly #isRewound: boolean;
  #facts: Fact[] = [];
  #toCancel: string[] = [];
  #hasFailed = false;
  #hasRevoked = false;
  #knownThisTurn = 0;

  /** `isRewound`: it takes over from another one in the middle of a run, so failures that were told stand. */
  constructor(options: RunOptions, adopted: readonly AdoptedAttempt[] = [], isRewound = false) {
    const { memory } = options;
    this.#options = options;
    this.#isRewound = isRewound;
    this.#hasDoubts = memory.hasDoubts();
    this.#provisional = new ProvisionalSuccesses(memory.provisionalSuccesses());
    this.#known = { cached: (key) => this.#newlyKnown.get(key) ?? memory.cached(key) };
    this.#adopted = new AdoptedAttempts(adopted);
    const handingOver = new HandingOver(this.#adopted, (fact) => this.#facts.push(fact));
    this.#dispatch = new Dispatch(options, handingOver);
    const ranks = options.plan.stageGraph.ranks;
    this.#unfolding = new Unfolding(
      options.graph,
      options.inputs,
      options.ops,
      growthFacts((fact) => {
        if (fact.type === "run.broken" && !fact.tolerated) this.#hasFailed = true;
        if (fact.type === "task.ended") this.#leaveOut(fact.task);
        this.#facts.push(fact);
      }, options.ops),
      (id) => ranks.get(id) ?? 0,
    );
  }

  /** Takes everything that has happened since the last call, in order. */
  handle(events: readonly RunEvent[]): Effects {
    for (const event of events) this.#take(event);
    const isInJob = (attempt: string) => this.#dispatch.isInJob(attempt);
    const underWay = { live: () => this.#live.values(), adopted: () => this.#adopted.underWay(), isInJob };
    this.#toCancel.push(...this.#stop.toCancel(events, underWay));
    return this.#settle();
  }

  /** What it took over from earlier engines and has not come to: ends that were told, and attempts nobody runs. */
  untaken(): { readonly ends: readonly FinishedEvent[]; readonly unsubmitted: ReadonlySet<string> } {
    const idle = this.#adopted.all().filter(({ isUnderWay }) => !isUnderWay);
    return { ends: this.#adopted.keptEnds(), unsubmitted: new Set(idle.map(({ attempt }) => attempt)) };
  }

  /** Whether another engine handed this attempt over. */
  isInherited(attempt: string): boolean {
    const adopted = this.#adopted.of(taskOfAttempt(attempt));
    return adopted?.attempt === attempt ? adopted.isInherited : this.#taskOf(attempt)?.isInherited === true;
  }

  /** Whether the run has the success of this attempt, and nobody knows yet how its job ended. */
  isProvisional(attempt: string): boolean {
    return this.#provisional.has(attempt);
  }

  /** Whether the run has gone on from the success of this attempt, so that it must start over without it. */
  mustRewindFor(attempt: string): boolean {
    return this.isProvisional(attempt) && !this.#stop.isDraining;
  }

  #take(event: RunEvent): void {
    switch (event.type) {
      case "started":
        this.#onStarted(event.attempt, event.startedAt);
        break;
      case "finished":
        this.#onFinished(event);
        break;
      case "confirmed":
        this.#onConfirmed(event.attempts);
        break;
      case "revoked":
        this.#onRevoked(event);
        break;
      case "wake":
        for (const task of this.#resting.wake(event.nowMs)) {
          task.state = transition(task.state, { type: "rested" }, task.policy);
          this.#dispatch.add(task);
        }
        break;
      case "prepared":
        this.#dispatch.release(event.stage);
        break;
      case "not-taken":
        for (const attempt of event.attempts)
          if (this.#dispatch.leave(attempt)) this.#live.delete(taskOfAttempt(attempt));
        break;
      case "held":
      case "released":
      case "drain":
      case "cancel":
        this.#stop.take(event);
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

  #settle(): Effects {
    const submit: JobToSubmit[] = [];
    const glue: AttemptOf[] = [];
    this.#knownThisTurn = 0;
    if (this.#stopsHandingOver()) this.#dropWaiting();
    else this.#handOver(submit, glue);
    const status = this.#end();
    const isConfirmed = this.#provisional.size === 0 || this.#stop.isCancelling;
    // What ran on a revoked success, for a part of the graph that has not grown again.
    if (status !== null && this.#hasDoubts) for (const adopted of this.#adopted.all()) this.#drop(adopted);
    const [facts, cancel] = [this.#facts, this.#toCancel];
    this.#facts = [];
    this.#toCancel = [];
    this.#newlyKnown.clear();
    return {
      facts,
      submit,
      glue,
      prepare: this.#dispatch.stagesToPrepare(),
      cancel,
      confirm: status === null || isConfirmed ? 0 : this.#provisional.size,
      wakeAtMs: this.#hasMore() ? 0 : this.#resting.nextWakeMs(),
      ended: isConfirmed ? status : null,
    };
  }

  #drop({ task, attempt, isUnderWay }: AdoptedAttempt): void {
    this.#adopted.take(task);
    this.#facts.push({ type: "attempt.dropped", task, stage: stageOfTask(task), attempt });
    if (isUnderWay) this.#toCancel.push(attempt);
  }

  #hasMore(): boolean {
    return this.#knownThisTurn >= MOST_KNOWN_A_TURN;
  }

  #stopsHandingOver(): boolean {
    return this.#stop.isDraining || (this.#hasFailed && !this.#options.keepGoing);
  }

  #dropWaiting(): void {
    for (const task of [...this.#dispatch.clear(), ...this.#resting.clear()]) this.#live.delete(task.instance.name);
  }

  #handOver(submit: JobToSubmit[], glue: AttemptOf[]): void {
    do {
      this.#lookAhead();
      if (this.#stopsHandingOver()) {
        this.#dropWaiting();
        return;
      }
    } while (this.#dispatch.handOver(submit, glue));
  }

  /** Tasks whose results are known end here and may make others ready. */
  #lookAhead(): void {
    while (!this.#hasMore() && this.#dispatch.wantsMore) {
      const instance = this.#unfolding.next();
      if (!instance) return;
      const task = this.#arrive(instance);
      if (task) this.#dispatch.add(task);
      else this.#knownThisTurn++;
    }
  }

  /** The task, if it waits for a place. */
  #arrive(instance: TaskInstance): LiveTask | undefined {
    const arrival = arrivalOf(instance, {
      options: this.#options,
      known: this.#known,
      hasDoubts: this.#hasDoubts,
      canRecallFailure: this.#isRewound || this.#unfolding.isTolerated(instance),
      isAdopted: () => this.#adopted.of(instance.name) !== undefined,
      originsOf: (ref) => this.#unfolding.originsOf(instance, ref),
      setAside: (was) => this.#setAside(instance.name, was),
    });
    this.#facts.push(...arrival.facts);
    switch (arrival.type) {
      case "known":
        this.#unfolding.succeeded(instance, arrival.result.outputs, arrival.result.metrics);
        return undefined;
      case "failed":
        this.#endFailed(instance, arrival.cause, arrival.isReplayed);
        return undefined;
      case "live": {
        const adopted = this.#adopted.of(instance.name);
        this.#live.set(instance.name, arrival.task);
        return adopted?.isUnderWay ? this.#adopt(arrival.task, adopted) : arrival.task;
      }
    }
  }

  #adopt(task: LiveTask, adopted: AdoptedAttempt): undefined {
    task.attempt = adopted.attempt;
    task.isAdopted = true;
    task.isInherited = adopted.isInherited;
    task.state = { name: "submitted", attempts: adopted.number, failures: {} };
    this.#dispatch.adopt(adopted.attempt);
    const end = this.#adopted.take(adopted.task);
    if (end) this.#onFinished(end);
    return undefined;
  }

  /** A task that is skipped. What was done for it stood on what is no longer true, also if it is wanted once more. */
  #leaveOut(task: string): void {
    const doubt = this.#hasDoubts && this.#options.memory.doubtOf(task);
    if (doubt) this.#setAside(task, doubt.was);
  }

  #setAside(task: string, was: TaskEnd | null): void {
    const stage = stageOfTask(task);
    this.#facts.push({ type: "task.outdated", task, stage, was: this.#isRewound ? was : null });
    this.#provisional.forget(task);
    const adopted = this.#adopted.of(task);
    if (adopted !== undefined) this.#drop(adopted);
  }

  #onConfirmed(attempts: readonly string[]): void {
    const confirmed = this.#provisional.confirm(attempts);
    for (const attempt of attempts) this.#adopted.confirm(attempt);
    if (confirmed.length > 0) this.#facts.push({ type: "attempts.confirmed", attempts: confirmed });
  }

  /** While the run is being stopped, or has not come to the task: otherwise it is rewound. */
  #onRevoked({ attempt, record, nowMs }: RunEvent & { type: "revoked" }): void {
    if (!this.#provisional.revoke(attempt)) {
      this.#onFinished({ type: "finished", attempt, record, nowMs });
      return;
    }
    this.#hasRevoked = true;
    this.#facts.push(revokedFact(record));
  }

  #onStarted(attempt: string, startedAt: number): void {
    const task = this.#taskOf(attempt);
    const state = task && transition(task.state, { type: "started" }, task.policy);
    if (!state || state === task.state) return;
    task.state = state;
    const { name, node } = task.instance;
    this.#facts.push({ type: "attempt.started", task: name, stage: node.id, attempt, startedAt });
  }

  #onFinished(event: FinishedEvent): void {
    const { attempt, nowMs } = event;
    const task = this.#taskOf(attempt);
    if (!task) {
      this.#adopted.keepEnd(event);
      if (event.isProvisional !== true) this.#onConfirmed([attempt]);
      return;
    }
    const record = checkRecord(task.instance.node, { ...event.record, task: task.instance.name }, task.progress);
    const state = transition(task.state, { type: "finished", record, nowMs }, task.policy);
    if (state === task.state) return;
    task.state = state;
    this.#stop.forget(attempt);
    const isReached = record.failure?.class !== "not-reached";
    if (this.#dispatch.leave(attempt) && isReached) this.#dispatch.observe(record.endedAt - record.startedAt);
    this.#facts.push({ type: "attempt.finished", task: task.instance.name, stage: task.instance.node.id, record });
    task.progress = progressAfter(task.progress, record);
    task.stage = stageAfter(task, record, this.#options);
    if (task.state.name === "queued") this.#goOn(task, record);
    else if (task.state.name === "resting") this.#rest(task, record, nowMs);
    else if (task.isInherited && !this.#stop.isDraining && isWorthAnother(task.state.name, record))
      this.#startOver(task);
    else this.#endTask(task, record, event.isProvisional === true);
  }

  /** Its next slice, or its turn in another job, waits for a place like any other task. */
  #goOn(task: LiveTask, record: TaskRecord): void {
    this.#facts.push((record.failure?.class === "not-reached" ? unreachedFact : slicedFact)(task, record));
    if (this.#stopsHandingOver()) this.#live.delete(task.instance.name);
    else this.#dispatch.add(task);
  }

  #rest(task: LiveTask, record: TaskRecord, nowMs: number): void {
    if (this.#stopsHandingOver()) {
      this.#live.delete(task.instance.name);
      return;
    }
    this.#facts.push(retryFact(task, record, nowMs));
    this.#resting.add(task, (task.state as { untilMs: number }).untilMs);
  }

  /** That was an earlier engine's affair; this run goes on. */
  #startOver(task: LiveTask): void {
    const attempts = this.#options.memory.attemptsOf(task.instance.name);
    task.state = { name: "queued", attempts, failures: {} };
    this.#dispatch.add(task);
  }

  #endTask(task: LiveTask, record: TaskRecord, isProvisional: boolean): void {
    const { instance, state } = task;
    this.#live.delete(instance.name);
    if (state.name === "done") {
      const { outputs } = record;
      const key = instance.node.declaration.cache === "never" ? null : task.key;
      const provisional = isProvisional ? { provisional: record.attempt } : {};
      if (isProvisional) this.#provisional.add(record.attempt, instance.name);
      const splits = instance.node.outputSplits;
      this.#facts.push(endedFact(instance, { state: "done", outputs, splits, key, ...provisional }));
      const metrics = { ...task.progress.metrics, ...lastMetrics(record) };
      const known = { outputs: outputs as Record<string, Resolved>, metrics };
      if (key !== null && !isProvisional)
        this.#newlyKnown.set(key, { ...known, run: this.#options.run, task: instance.name });
      this.#unfolding.succeeded(instance, known.outputs, known.metrics);
      return;
    }
    const cause = causeOf(instance.name, record);
    if (state.name === "cancelled" && this.#stop.isDraining) {
      this.#facts.push(endedFact(instance, { state: "cancelled", cause }));
      return;
    }
    this.#endFailed(instance, cause);
  }

  #endFailed(instance: TaskInstance, cause: FailureCause, isReplayed = false): void {
    const isTolerated = this.#unfolding.isTolerated(instance);
    if (!isTolerated) this.#hasFailed = true;
    const about = {
      ...(isTolerated ? { tolerated: true as const } : {}),
      ...(isReplayed ? { replayed: true as const } : {}),
    };
    this.#facts.push(endedFact(instance, { state: "failed", cause, ...about }));
    this.#unfolding.failed(instance, cause.message);
  }

  #taskOf(attempt: string): LiveTask | undefined {
    const task = this.#live.get(taskOfAttempt(attempt));
    return task?.attempt === attempt ? task : undefined;
  }

  #end(): RunStatus | null {
    if (!this.#dispatch.isIdle || this.#resting.size > 0 || this.#hasMore()) return null;
    // Who cancels does not wait for verdicts, and without them nothing is certain.
    const isCertain = !this.#hasRevoked && (this.#provisional.size === 0 || !this.#stop.isCancelling);
    if (this.#unfolding.finished && isCertain) return this.#hasFailed ? "failed" : "succeeded";
    if (this.#stop.isCancelling) return "cancelled";
    if (this.#stop.isDraining) return "stopped";
    if (this.#hasFailed) return "failed";
    throw new WfError("WF_INTERNAL", "nothing runs, nothing is ready, and the run has not ended");
  }
}
