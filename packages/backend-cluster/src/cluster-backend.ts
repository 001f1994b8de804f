import { setTimeout as delay } from "node:timers/promises";
import type { Adoption, Backend, BackendEvent, Capabilities, JobSpec } from "@wf/backend";
import { type Account, type TaskRecord, WfError } from "@wf/core";
import { adoptElements, fateOf, isInMailbox } from "./adopt-elements.ts";
import type { BatchSystem, SystemEvent } from "./batch-system.ts";
import type { SchedulerCommands } from "./commands/scheduler-commands.ts";
import { type Element, toSettle, unsubmittedElement } from "./element.ts";
import { HandedOver } from "./handed-over.ts";
import type { JobEnding, JobFailure, JobTraces } from "./job-ending.ts";
import type { LoginNode, LookReply } from "./login-node.ts";
import type { Pool, PoolHooks } from "./pool.ts";
import { type QueueState, queueState } from "./queue-state.ts";
import { RecordWatch } from "./record-watch.ts";
import { Submitter } from "./submitting/submitter.ts";

/** A record may be on its way from a node when the scheduler already says that its job is over. */
const RECORD_PATIENCE_MS = 3_000;
const RECALL_AGAIN_MS = 10_000;
/** After the grace of its tasks, a job that was told to end is ended by the scheduler. */
const CANCEL_PATIENCE_MS = 10_000;
const CANCELLED: JobFailure = { class: "cancelled", message: "cancelled before it started" };

export interface ClusterBackendOptions<Request> {
  readonly name: string;
  readonly run: string;
  readonly capabilities: Capabilities;
  readonly system: BatchSystem<Request>;
  readonly login: LoginNode;
  readonly commands: SchedulerCommands;
  /** How long a job that is ready waits for others like it. */
  readonly windowMs: number;
  /** Where some jobs are worked off by allocations. */
  makePool?(hooks: PoolHooks): Pool | null;
}

/** Runs jobs on a cluster that a scheduler shares out. */
export class ClusterBackend<Request = unknown> implements Backend {
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly #system: BatchSystem<Request>;
  readonly #login: LoginNode;
  readonly #commands: SchedulerCommands;
  readonly #submitter: Submitter<Request>;
  readonly #records: RecordWatch;
  /** Null where every job is a job of the scheduler. */
  readonly #pool: Pool | null;
  readonly #life = new AbortController();
  readonly #handed = new HandedOver();
  /** Attempts whose start was told and whose end was not. */
  readonly #started = new Set<string>();
  /** Records of attempts whose job was told to end: the scheduler is asked why before they are told. */
  readonly #interrupted = new Map<string, TaskRecord>();
  #hasPast = false;
  #onEvent: (event: BackendEvent) => void = () => undefined;
  #broken: WfError | null = null;

  constructor({
    name,
    run,
    capabilities,
    system,
    login,
    commands,
    windowMs,
    makePool,
  }: ClusterBackendOptions<Request>) {
    const { signal } = this.#life;
    const onFailed = (error: unknown) => this.#break(error);
    this.name = name;
    this.capabilities = capabilities;
    this.#system = system;
    this.#login = login;
    this.#commands = commands;
    this.#submitter = new Submitter({
      run,
      system,
      login,
      windowMs,
      hasOthers: () => this.#handed.size > 0,
      onHanded: (elements) => this.#takeOn(elements),
      onAccepted: (elements) => this.#watchJobs(elements),
      onFailed,
      signal,
    });
    this.#records = new RecordWatch((until) => login.openWatch(until), {
      onStarted: (attempt, startedAt, pilot) => {
        if (pilot !== undefined) this.#pool?.begun(attempt, pilot);
        this.#start(attempt, startedAt);
      },
      onRecord: (record) => this.#take(record),
      onLog: (news) => system.hearLog?.(news),
      onBroken: onFailed,
    });
    this.#pool =
      makePool?.({
        recall: (token) => this.#recall(token, signal),
        onOver: (attempts, why) => this.#explain(attempts, (record) => why ?? record.failure),
        onFailed,
        signal,
      }) ?? null;
  }

  /** How often each command of the scheduler was run. */
  get commandCounts(): ReadonlyMap<string, number> {
    return this.#commands.counts;
  }

  /** How people let held jobs go on. */
  get howToRelease(): string {
    return this.#system.howToRelease;
  }

  queueState(): QueueState {
    return queueState(this.#handed.elements(), (job) => this.#system.phaseOf(job), this.#started);
  }

  /** What the scheduler's accounting says of jobs that are over. It may lag some seconds behind. */
  async accounts(jobs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Account>> {
    return await this.#system.accounts(jobs, signal);
  }

  async open(onEvent: (event: BackendEvent) => void, signal: AbortSignal): Promise<void> {
    this.#onEvent = onEvent;
    const { hasPast } = await this.#login.prepare(AbortSignal.any([signal, this.#life.signal]));
    this.#hasPast = hasPast;
    if (hasPast && this.#pool !== null) {
      await this.#pool.adoptPilots((await this.#login.look([], signal)).pilots);
    }
    this.#background(this.#records.run(this.#life.signal));
    this.#background(this.#system.run((event) => this.#background(this.#hear(event)), this.#life.signal));
  }

  async submit(jobs: readonly JobSpec[], signal: AbortSignal): Promise<void> {
    this.#assertUsable(signal);
    const isNew = (attempt: string) => !this.#handed.has(attempt) && !this.#submitter.has(attempt);
    const fresh = jobs.filter((job) => attemptsOf(job).some(isNew));
    if (!this.#hasPast || fresh.length === 0) {
      this.#handOver(fresh);
      return;
    }
    const looked = await this.#login.look(fresh.flatMap(attemptsOf), signal);
    const isKnown = (attempt: string) => {
      const found = looked.attempts[attempt];
      return found?.isRecorded === true || found?.token !== undefined || found?.isMailed === true;
    };
    const known = fresh.filter((job) => attemptsOf(job).every(isKnown));
    this.#adopt(known.flatMap(attemptsOf), looked);
    this.#handOver(fresh.filter((job) => !known.includes(job)));
  }

  #handOver(jobs: readonly JobSpec[]): void {
    const mailed = jobs.filter((job) => this.#pool?.fits(job) === true);
    this.#takeOn(mailed.map(unsubmittedElement));
    this.#pool?.add(mailed);
    this.#submitter.add(jobs.filter((job) => !mailed.includes(job)));
  }

  async cancel(attempts: readonly string[], signal: AbortSignal): Promise<void> {
    this.#assertUsable(signal);
    const mailed = attempts.filter((attempt) => this.#pool?.has(attempt) === true);
    const wanted = new Set(attempts.filter((attempt) => !mailed.includes(attempt)));
    const unsent = this.#submitter.takeBack(wanted).map(unsubmittedElement);
    this.#takeOn(unsent);
    const elements = this.#handed.whollyOf(wanted);
    await this.#cancelSome(wanted, signal);
    await this.#pool?.cancel(mailed, CANCELLED, signal);
    const isRunning = ({ unfinished }: Element) => [...unfinished].some((attempt) => this.#started.has(attempt));
    const unstarted = await this.#settle(
      elements.filter((element) => !isRunning(element)),
      CANCELLED,
      null,
      signal,
    );
    const running = elements.filter((element) => !unstarted.includes(element));
    await this.#system.cancel(unstarted, "waiting", signal);
    await this.#system.cancel(running, "gently", signal);
    if (running.length > 0) this.#background(this.#cancelForGood(running));
  }

  /** Attempts that share their jobs with others, which go on. */
  async #cancelSome(wanted: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const shared = [
      ...this.#handed.partlyOf(wanted),
      ...this.#submitter.partlyReady(wanted).map((job) => unsubmittedElement(job)),
    ].map((element) => toSettle(element, CANCELLED, null));
    const some = shared.map((element) => ({
      ...element,
      tasks: element.tasks.filter(({ attempt }) => wanted.has(attempt)),
    }));
    if (some.length > 0) await this.#login.cancel(some, signal);
  }

  async adopt(attempts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Adoption>> {
    this.#assertUsable(signal);
    const looked = await this.#login.look(attempts, signal);
    const submissions = { ...looked.submissions };
    for (const [token, submission] of Object.entries(looked.submissions)) {
      if (submission.id !== null) continue;
      const id = await this.#recall(token, signal);
      if (id === null) delete submissions[token];
      else submissions[token] = { ...submission, id };
    }
    const found = { ...looked, submissions };
    const adoptions = new Map(attempts.map((attempt) => [attempt, fateOf(attempt, found, this.#pool !== null)]));
    const ours = attempts.filter((attempt) => adoptions.get(attempt) !== "never-submitted");
    this.#adopt(ours, found);
    return adoptions;
  }

  async close(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#life.signal.aborted) await this.#pool?.close(signal);
    this.detach();
  }

  /** Leaves without a word, as an engine does that is killed. What was submitted goes on, and can be adopted. */
  detach(): void {
    this.#life.abort();
  }

  #adopt(attempts: readonly string[], looked: LookReply): void {
    const elements = adoptElements(attempts, looked, (id, index, siblings) =>
      this.#system.jobName(id, index, siblings),
    );
    this.#pool?.adoptAttempts(attempts.filter((attempt) => isInMailbox(attempt, looked)));
    this.#takeOn(elements);
    this.#watchJobs(elements.filter(({ taken }) => taken !== null));
  }

  #takeOn(elements: readonly Element[]): void {
    this.#handed.add(elements);
    this.#records.watch(elements.flatMap(({ unfinished }) => [...unfinished]));
  }

  #watchJobs(elements: readonly Element[]): void {
    const alive = elements.filter(({ unfinished }) => unfinished.size > 0);
    this.#handed.add(alive);
    this.#system.watch(alive.flatMap(({ taken }) => taken?.job ?? []));
    const attempts = alive.flatMap(({ taken, unfinished }) =>
      taken === null ? [] : [...unfinished].map((attempt) => ({ attempt, queueJob: taken.job })),
    );
    if (attempts.length > 0) this.#emit({ type: "queued", attempts });
  }

  /** Nobody is told that an attempt was never submitted while nobody knows it. */
  async #recall(token: string, signal: AbortSignal): Promise<string | null> {
    for (;;) {
      const { id, unknown, commands } = await this.#login.recall(token, signal);
      this.#commands.noteRun(commands);
      if (unknown === undefined) return id;
      await delay(RECALL_AGAIN_MS, undefined, { signal });
    }
  }

  #start(attempt: string, startedAt: number): void {
    if (!this.#handed.has(attempt) || this.#started.has(attempt)) return;
    this.#started.add(attempt);
    this.#emit({ type: "started", attempt, startedAt });
  }

  #take(record: TaskRecord): void {
    const { attempt, failure } = record;
    const canBeExplained = this.#handed.isInJob(attempt) || this.#pool?.isInPilot(attempt) === true;
    if (failure?.class !== "interrupted" || !canBeExplained) {
      this.#finish(record);
      return;
    }
    this.#interrupted.set(attempt, record);
    this.#system.hurry();
  }

  /** The one place from which an attempt's end is told: what is not handed over any more has been told. */
  #finish(record: TaskRecord): void {
    const { attempt, pid, startedAt } = record;
    if (pid !== null) this.#start(attempt, startedAt);
    const element = this.#handed.finish(attempt);
    if (element === undefined) return;
    this.#started.delete(attempt);
    this.#pool?.finished(attempt);
    this.#interrupted.delete(attempt);
    if (element.unfinished.size === 0 && element.taken !== null) this.#system.forget(element.taken.job);
    this.#emit({ type: "finished", attempt, record });
  }

  async #hear(event: SystemEvent): Promise<void> {
    const element = this.#handed.ofJob(event.job);
    if (element === undefined) return;
    switch (event.type) {
      case "started":
        for (const attempt of element.unfinished) this.#start(attempt, event.startedAt);
        return;
      case "hopeless":
        return await this.#giveUp(element, event.message);
      case "ended":
        return await this.#conclude(element, event.ending);
      case "vanished": {
        this.#explain(element.unfinished, (record) => record.failure);
        const message = `${this.#system.title} knows nothing of its job any more (job ${event.job})`;
        await this.#settle([element], { class: "lost", message }, "over", this.#life.signal);
        return;
      }
      default:
        event satisfies never;
    }
  }

  /** The scheduler would leave it in the queue for ever. */
  async #giveUp(element: Element, message: string): Promise<void> {
    const given = await this.#settle([element], { class: "not-started", message }, null, this.#life.signal);
    await this.#system.cancel(given, "waiting", this.#life.signal);
  }

  async #conclude(element: Element, ending: JobEnding): Promise<void> {
    const { signal } = this.#life;
    const wrong = (await this.#system.gather?.(element, signal)) ?? null;
    const isRecorded = [...element.unfinished].every((attempt) => this.#interrupted.has(attempt));
    if (!isRecorded) await delay(RECORD_PATIENCE_MS, undefined, { signal });
    if (element.unfinished.size === 0) return;
    const printed = await this.#login.outputOf(element, signal);
    this.#explain(element.unfinished, (record) => ending.interruption(printed) ?? record.failure);
    const { class: name, message } = ending.failure(printed);
    const failure = { class: name, message: wrong === null ? message : `${wrong}; ${message}` };
    await this.#settle([element], failure, ending, signal);
  }

  /** Tells of the attempts of a job that was told to end. */
  #explain(attempts: Iterable<string>, why: (record: TaskRecord) => TaskRecord["failure"]): void {
    for (const attempt of [...attempts]) {
      const record = this.#interrupted.get(attempt);
      if (record !== undefined) this.#finish({ ...record, failure: why(record) });
    }
  }

  /** Returns those that had not started, and never will. */
  async #settle(
    elements: readonly Element[],
    failure: JobFailure,
    end: JobTraces | "over" | null,
    signal: AbortSignal,
  ): Promise<readonly Element[]> {
    if (elements.every(({ unfinished }) => unfinished.size === 0)) return [];
    const unstarted = await this.#login.settle(
      elements.map((element) => toSettle(element, failure, end)),
      signal,
    );
    return unstarted.flatMap((position) => elements[position] ?? []);
  }

  async #cancelForGood(elements: readonly Element[]): Promise<void> {
    const graceMs = Math.max(...elements.map(({ graceSeconds }) => graceSeconds)) * 1000;
    await delay(graceMs + CANCEL_PATIENCE_MS, undefined, { signal: this.#life.signal });
    const left = elements.filter(({ unfinished }) => unfinished.size > 0);
    await this.#system.cancel(left, "for-good", this.#life.signal);
  }

  #background(work: Promise<void>): void {
    work.catch((error: unknown) => this.#break(error));
  }

  #break(cause: unknown): void {
    if (this.#life.signal.aborted) return;
    const error =
      cause instanceof WfError
        ? cause
        : new WfError("WF_SITE_COMMAND", `The cluster cannot be used: ${cause}`, { cause });
    this.#broken = error;
    this.#emit({ type: "broken", error });
    this.detach();
  }

  #emit(event: BackendEvent): void {
    if (!this.#life.signal.aborted) this.#onEvent(event);
  }

  #assertUsable(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#broken !== null) throw this.#broken;
    if (this.#life.signal.aborted)
      throw new WfError("WF_INTERNAL", "The backend of a cluster was used after it was closed.");
  }
}

function attemptsOf({ tasks }: JobSpec): readonly string[] {
  return tasks.map(({ attempt }) => attempt);
}
