import { setTimeout as delay } from "node:timers/promises";
import type { Adoption, Backend, BackendEvent, Capabilities, LeftInQueue } from "@wf/backend";
import { type Account, type JobSpec, WfError } from "@wf/protocol";
import { adoptElements, fateOf, isInMailbox } from "./adopt-elements.ts";
import { AttemptNews } from "./attempt-news.ts";
import type { BatchSystem } from "./batch-system.ts";
import type { SchedulerCommands } from "./commands/scheduler-commands.ts";
import { type Element, toSettle, unsubmittedElement } from "./element.ts";
import { HandedOver } from "./handed-over.ts";
import type { JobFailure } from "./job-ending.ts";
import { JobNews } from "./job-news.ts";
import { leaveQueue } from "./leave-queue.ts";
import type { LoginNode, LookReply } from "./login-node.ts";
import type { Pool, PoolHooks } from "./pool.ts";
import { type QueueState, queueState } from "./queue-state.ts";
import { RecordWatch } from "./record-watch.ts";
import { Submitter } from "./submitting/submitter.ts";

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

export interface RefusedJob {
  readonly job: JobSpec;
  readonly failure: JobFailure;
}

/** Runs jobs on a cluster that a scheduler shares out. */
export class ClusterBackend<Request = unknown> implements Backend {
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly #run: string;
  readonly #system: BatchSystem<Request>;
  readonly #login: LoginNode;
  readonly #commands: SchedulerCommands;
  readonly #submitter: Submitter<Request>;
  readonly #records: RecordWatch;
  /** Null where every job is a job of the scheduler. */
  readonly #pool: Pool | null;
  readonly #life = new AbortController();
  readonly #handed = new HandedOver();
  readonly #news: AttemptNews;
  readonly #jobs: JobNews;
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
    this.#run = run;
    this.capabilities = capabilities;
    this.#system = system;
    this.#login = login;
    this.#commands = commands;
    this.#news = new AttemptNews({
      run,
      handed: this.#handed,
      system,
      pool: () => this.#pool,
      emit: (event) => this.#emit(event),
    });
    this.#jobs = new JobNews({ handed: this.#handed, attempts: this.#news, login, system, signal });
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
        this.#news.start(attempt, startedAt);
      },
      onRecord: (attempt, told) => this.#news.hearRecord(attempt, told),
      onLog: (news) => system.hearLog?.(news),
      onBroken: onFailed,
    });
    this.#pool =
      makePool?.({
        recall: (token) => this.#recall(token, signal),
        onOver: (pilot, attempts, end) => this.#news.pilotOver(pilot, attempts, end),
        onAlive: (pilot, askedMs) => this.#news.pilotAlive(pilot, askedMs),
        onFailed,
        signal,
      }) ?? null;
  }

  /** How often each command of the scheduler was run. */
  get commandCounts(): ReadonlyMap<string, number> {
    return this.#commands.counts;
  }

  /** Since when the scheduler does not answer, in Unix seconds; null while it does. */
  get silence(): { readonly at: number; readonly why: string } | null {
    return this.#commands.silence;
  }

  /** How people let held jobs go on. */
  get howToRelease(): string {
    return this.#system.howToRelease;
  }

  queueState(): QueueState {
    return queueState(this.#handed.elements(), (job) => this.#system.phaseOf(job), this.#news.started);
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
    this.#background(this.#system.run((event) => this.#background(this.#jobs.hear(event)), this.#life.signal));
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

  /** Of jobs that cannot be submitted, since something that they need cannot be had. */
  async refuse(refused: readonly RefusedJob[], signal: AbortSignal): Promise<void> {
    this.#assertUsable(signal);
    if (refused.length === 0) return;
    const elements = refused.map(({ job, failure }) => ({ element: unsubmittedElement(job), failure }));
    this.#takeOn(elements.map(({ element }) => element));
    await this.#login.settle(
      elements.map(({ element, failure }) => toSettle(element, failure, null)),
      signal,
    );
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
    const unstarted = await this.#jobs.settle(
      elements.filter((element) => !this.#news.isRunning(element)),
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

  async close(signal: AbortSignal, waiting: "dropped" | "left" = "dropped"): Promise<LeftInQueue | null> {
    signal.throwIfAborted();
    // What is on its way into the queue stops first.
    this.detach();
    if (waiting === "left") return null;
    const isMailed = ({ unfinished }: Element) => [...unfinished].some((attempt) => this.#pool?.has(attempt) === true);
    const pilots = await this.#pool?.close(CANCELLED, signal).catch(() => null);
    const jobs = await leaveQueue(
      {
        elements: [...this.#handed.elements()].filter((element) => !isMailed(element)),
        givenUp: this.#jobs.givenUp,
        failure: CANCELLED,
        login: this.#login,
        system: this.#system,
        isRunning: (element) => this.#news.isRunning(element),
      },
      signal,
    );
    if (!pilots || jobs === null) return pilots ?? jobs;
    return { jobs: [...pilots.jobs, ...jobs.jobs], remove: `${pilots.remove}; ${jobs.remove}` };
  }

  confirm(): void {
    this.#pool?.confirm();
    this.#system.confirm();
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
    const alive = elements.filter(({ unfinished, hasSucceeded }) => unfinished.size > 0 || hasSucceeded);
    this.#handed.add(alive);
    this.#system.watch(alive.flatMap(({ taken }) => taken?.job ?? []));
    const attempts = alive.flatMap(({ taken, unfinished }) =>
      taken === null ? [] : [...unfinished].map((attempt) => ({ attempt, queueJob: taken.job })),
    );
    if (attempts.length > 0) this.#emit({ type: "queued", attempts });
    for (const element of alive) this.#news.tellSettled(element);
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
