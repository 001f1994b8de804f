import { setTimeout as delay } from "node:timers/promises";
import type { Adoption, Backend, BackendEvent, Capabilities, JobSpec } from "@wf/backend";
import { type Account, type TaskRecord, WfError } from "@wf/core";
import type { SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import { failureOfEnd, failureOfInterruption, type JobFailure } from "./ending/failure-of-end.ts";
import type { JobEnd } from "./ending/job-end.ts";
import { classifyReason } from "./parsing/pending-reason.ts";
import { type PilotPool, pilotPool } from "./pilots/pilot-pool.ts";
import { adoptElements, fateOf, isInMailbox } from "./site/adopt-elements.ts";
import { askAccounts } from "./site/ask-accounts.ts";
import { type Element, jobOf, toSettle, unsubmittedElement } from "./site/element.ts";
import { HandedOver } from "./site/handed-over.ts";
import { LoginNode, type LookReply } from "./site/login-node.ts";
import { type QueueState, queueState } from "./site/queue-state.ts";
import { QueueWatch } from "./site/queue-watch.ts";
import { RecordWatch } from "./site/record-watch.ts";
import { Scheduler } from "./site/scheduler.ts";
import { Submitter } from "./site/submitter.ts";
import type { WatchEvent } from "./watching/observe.ts";

/** A record may be on its way from a node when the scheduler already says that its job is over. */
const RECORD_PATIENCE_MS = 3_000;
const RECALL_AGAIN_MS = 10_000;
/** After the grace of its tasks, a job that was told to end is ended by SLURM. */
const CANCEL_PATIENCE_MS = 10_000;

export interface SlurmBackendOptions {
  readonly run: string;
  /** The site's storage there, an absolute path that all nodes see. */
  readonly storage: string;
  readonly settings: SlurmSettings;
  /** How the login node is reached. It is used by others, too, and not closed here. */
  readonly transport: Transport;
  /** The interpreter on the site. Default: `python3`. */
  readonly python?: string | undefined;
  /** The launcher's zipapp. Default: the one that the build made. */
  readonly launcher?: string | undefined;
}

export interface SlurmBackend extends Backend {
  /** How often each command of the scheduler was run. */
  readonly commandCounts: ReadonlyMap<string, number>;
  queueState(): QueueState;
  /** What SLURM's accounting says of jobs that are over. It lags some seconds behind. */
  accounts(jobs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Account>>;
  /** Leaves without a word, as an engine does that is killed. What was submitted goes on, and can be adopted. */
  detach(): void;
}

/** Runs jobs on a SLURM cluster. */
export function slurmBackend(options: SlurmBackendOptions): SlurmBackend {
  return new ClusterBackend(options);
}

class ClusterBackend implements SlurmBackend {
  readonly name = "slurm";
  readonly capabilities: Capabilities;
  readonly #login: LoginNode;
  readonly #scheduler: Scheduler;
  readonly #submitter: Submitter;
  readonly #records: RecordWatch;
  readonly #queue: QueueWatch;
  /** Null where every job is a job of SLURM. */
  readonly #pool: PilotPool | null;
  readonly #life = new AbortController();
  readonly #handed = new HandedOver();
  /** Attempts whose start was told and whose end was not. */
  readonly #started = new Set<string>();
  /** Records of attempts whose job was told to end: SLURM is asked why before they are told. */
  readonly #interrupted = new Map<string, TaskRecord>();
  readonly #brokenNodes = new Set<string>();
  #hasPast = false;
  #onEvent: (event: BackendEvent) => void = () => undefined;
  #broken: WfError | null = null;

  constructor(options: SlurmBackendOptions) {
    const { run, storage, settings, transport, python = "python3", launcher } = options;
    this.#login = new LoginNode({ run, storage, transport, python, launcher });
    this.#scheduler = new Scheduler((argv, signal) => this.#login.run(argv, signal), settings.budget);
    this.#submitter = new Submitter({
      run,
      python,
      settings,
      login: this.#login,
      scheduler: this.#scheduler,
      brokenNodes: this.#brokenNodes,
      hasOthers: () => this.#handed.size > 0,
      onHanded: (elements) => this.#takeOn(elements),
      onAccepted: (elements) => this.#watchJobs(elements),
      onFailed: (error) => this.#break(error),
      signal: this.#life.signal,
    });
    this.#records = new RecordWatch((signal) => this.#login.openWatch(signal), {
      onStarted: (attempt, startedAt, pilot) => {
        if (pilot !== undefined) this.#pool?.begun(attempt, pilot);
        this.#start(attempt, startedAt);
      },
      onRecord: (record) => this.#take(record),
      onBroken: (error) => this.#break(error),
    });
    this.#queue = new QueueWatch(
      (argv, signal) => this.#scheduler.command(argv, signal),
      { everyMs: settings.poll.every * 1000, atMostMs: settings.poll.atMost * 1000 },
      (event) => this.#background(this.#hear(event)),
    );
    this.#pool = pilotPool({
      run,
      storage,
      python,
      settings,
      login: this.#login,
      scheduler: this.#scheduler,
      brokenNodes: this.#brokenNodes,
      recall: (token) => this.#recall(token, this.#life.signal),
      onSubmitted: (job) => this.#queue.watch([job]),
      onOver: (attempts, why) => this.#explain(attempts, (record) => why ?? record.failure),
      onFailed: (error) => this.#break(error),
      signal: this.#life.signal,
    });
    this.capabilities = {
      capacity: null,
      maxInFlight: settings.limits.jobs,
      arrays: settings.limits.arraySize > 1,
      fileTransfer: false,
      liveMetrics: false,
    };
  }

  get commandCounts(): ReadonlyMap<string, number> {
    return this.#scheduler.counts;
  }

  queueState(): QueueState {
    return queueState(this.#handed.elements(), this.#queue.jobs, this.#started);
  }

  async accounts(jobs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Account>> {
    return await askAccounts(jobs, (argv) => this.#scheduler.command(argv, signal));
  }

  async open(onEvent: (event: BackendEvent) => void, signal: AbortSignal): Promise<void> {
    this.#onEvent = onEvent;
    const { hasPast } = await this.#login.prepare(AbortSignal.any([signal, this.#life.signal]));
    this.#hasPast = hasPast;
    if (hasPast && this.#pool !== null) {
      await this.#pool.adoptPilots((await this.#login.look([], signal)).pilots);
    }
    this.#background(this.#records.run(this.#life.signal));
    this.#background(this.#queue.run(this.#life.signal));
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
    const failure: JobFailure = { class: "cancelled", message: "cancelled before it started" };
    await this.#pool?.cancel(mailed, failure, signal);
    const unstarted = await this.#settle(elements, failure, null, signal);
    const running = elements.filter((element) => !unstarted.includes(element));
    await this.#scheduler.cancel(unstarted, [], signal);
    await this.#scheduler.cancel(running, ["--batch", "--signal=INT"], signal);
    if (running.length > 0) this.#background(this.#cancelForGood(running));
  }

  /** Attempts that share their jobs with others, which go on. */
  async #cancelSome(wanted: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const failure: JobFailure = { class: "cancelled", message: "cancelled before it started" };
    const shared = [
      ...this.#handed.partlyOf(wanted),
      ...this.#submitter.partlyReady(wanted).map((job) => unsubmittedElement(job)),
    ].map((element) => toSettle(element, failure, null));
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

  detach(): void {
    this.#life.abort();
  }

  #adopt(attempts: readonly string[], looked: LookReply): void {
    const elements = adoptElements(attempts, looked);
    this.#pool?.adoptAttempts(attempts.filter((attempt) => isInMailbox(attempt, looked)));
    this.#takeOn(elements);
    this.#watchJobs(elements.filter(({ id }) => id !== null));
  }

  #takeOn(elements: readonly Element[]): void {
    this.#handed.add(elements);
    this.#records.watch(elements.flatMap(({ unfinished }) => [...unfinished]));
  }

  #watchJobs(elements: readonly Element[]): void {
    const alive = elements.filter(({ unfinished }) => unfinished.size > 0);
    this.#handed.add(alive);
    this.#queue.watch(alive.flatMap((element) => jobOf(element) ?? []));
    const attempts = alive.flatMap((element) => {
      const queueJob = jobOf(element);
      return queueJob === null ? [] : [...element.unfinished].map((attempt) => ({ attempt, queueJob }));
    });
    if (attempts.length > 0) this.#emit({ type: "queued", attempts });
  }

  /** Nobody is told that an attempt was never submitted while nobody knows it. */
  async #recall(token: string, signal: AbortSignal): Promise<string | null> {
    for (;;) {
      const { id, unknown, commands } = await this.#login.recall(token, signal);
      this.#scheduler.noteRun(commands);
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
    this.#queue.hurry();
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
    const job = jobOf(element);
    if (element.unfinished.size === 0 && job !== null) this.#queue.forget(job);
    this.#emit({ type: "finished", attempt, record });
  }

  async #hear(event: WatchEvent): Promise<void> {
    if (this.#pool?.hasPilot(event.job)) return await this.#pool.hear(event);
    const element = this.#handed.ofJob(event.job);
    if (element === undefined) return;
    switch (event.type) {
      case "waiting":
        if (classifyReason(event.reason) === "never") await this.#giveUp(element, event.reason);
        return;
      case "running":
        return;
      case "ended":
        return await this.#conclude(element, event.end);
      case "vanished": {
        this.#explain(element.unfinished, (record) => record.failure);
        const message = `SLURM knows nothing of its job any more (job ${event.job})`;
        await this.#settle([element], { class: "lost", message }, "over", this.#life.signal);
        return;
      }
      default:
        event satisfies never;
    }
  }

  /** SLURM would leave it in the queue for ever. */
  async #giveUp(element: Element, reason: string): Promise<void> {
    const message = `SLURM will never start its job (${reason}, job ${jobOf(element)}): ask for less, or name another partition in sites.yaml. What there is: sinfo -o "%P %l %D %c %m %G"`;
    const given = await this.#settle([element], { class: "not-started", message }, null, this.#life.signal);
    await this.#scheduler.cancel(given, [], this.#life.signal);
  }

  async #conclude(element: Element, end: JobEnd): Promise<void> {
    const { signal } = this.#life;
    await delay(RECORD_PATIENCE_MS, undefined, { signal });
    if (element.unfinished.size === 0) return;
    const printed = await this.#login.outputOf(element, signal);
    this.#explain(element.unfinished, (record) => failureOfInterruption(end, printed) ?? record.failure);
    const failure = failureOfEnd(end, printed);
    if (failure.class === "node-failed" && /^[\w.-]+$/.test(end.nodes)) this.#brokenNodes.add(end.nodes);
    await this.#settle([element], failure, end, signal);
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
    end: JobEnd | "over" | null,
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
    await this.#scheduler.cancel(left, [], this.#life.signal);
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
    if (this.#life.signal.aborted) throw new WfError("WF_INTERNAL", "The SLURM backend was used after it was closed.");
  }
}

function attemptsOf({ tasks }: JobSpec): readonly string[] {
  return tasks.map(({ attempt }) => attempt);
}
