import { mkdirSync, realpathSync } from "node:fs";
import type { Adoption, Backend, BackendEvent, Capabilities, Capacity } from "@wf/backend";
import { BUILT_LAUNCHER, checkPython, findPython } from "@wf/launcher";
import { type JobSpec, localRunFolder, type TaskRecord, WfError } from "@wf/protocol";
import type { LauncherConnection } from "./launcher-connection.ts";
import type { LauncherMessage } from "./launcher-message.ts";
import { type LauncherPlace, reachLauncher } from "./reach-launcher.ts";
import { readRecord } from "./record-file.ts";
import { launcherSocketPath } from "./socket-path.ts";

/** So many `true` are done in about a tenth of a second: time enough for a busy engine to hand over more. */
const MOST_SHORT_TASKS_WAITING = 128;
/** A launcher that dies again and again without finishing anything will not get better. */
const MOST_DEATHS_WITHOUT_PROGRESS = 3;

export interface LocalBackendOptions {
  readonly run: string;
  /** The site's storage, a folder of this machine. */
  readonly storage: string;
  readonly capacity: Capacity;
  /** Default: the first suitable python3 of PATH. */
  readonly python?: string | undefined;
  /** The launcher's zipapp. Default: the one that the build made. */
  readonly launcher?: string | undefined;
}

export interface LocalBackend extends Backend {
  /** Leaves without a word, as an engine does that is killed. What runs goes on, and can be adopted. */
  detach(): void;
}

/** What was handed over and has not finished. An attempt that was adopted came without its job. */
interface Handed {
  readonly job: JobSpec | null;
  readonly isCancelled: boolean;
}

/** Runs jobs on this machine, through one launcher a run. */
export function createLocalBackend(options: LocalBackendOptions): LocalBackend {
  return new LauncherBackend(options);
}

class LauncherBackend implements LocalBackend {
  readonly name = "local";
  readonly capabilities: Capabilities;
  readonly #place: LauncherPlace;
  readonly #handed = new Map<string, Handed>();
  /** Alive in the launcher, handed over by an earlier engine, and not adopted so far. */
  readonly #unadopted = new Set<string>();
  readonly #life = new AbortController();
  #onEvent: (event: BackendEvent) => void = () => undefined;
  /** What the launcher had when it said hello. */
  #aliveAtHello: ReadonlySet<string> = new Set();
  #connection: LauncherConnection | null = null;
  #deathsWithoutProgress = 0;
  #broken: WfError | null = null;

  constructor(options: LocalBackendOptions) {
    const { run, capacity, python, launcher = BUILT_LAUNCHER } = options;
    mkdirSync(options.storage, { recursive: true });
    const storage = realpathSync(options.storage);
    let found: Promise<string> | null = null;
    this.#place = {
      run,
      storage,
      capacity,
      launcher,
      socketPath: launcherSocketPath(storage, run),
      findPython: (signal) => {
        found ??= python === undefined ? findPython(process.env.PATH ?? "", signal) : checkPython(python, signal);
        return found;
      },
    };
    this.capabilities = {
      capacity,
      maxInFlight: Math.max(MOST_SHORT_TASKS_WAITING, Math.ceil(capacity.cpus) * 16),
      arrays: false,
      fileTransfer: false,
      liveMetrics: false,
    };
  }

  async open(onEvent: (event: BackendEvent) => void, signal: AbortSignal): Promise<void> {
    this.#onEvent = onEvent;
    await this.#connect(AbortSignal.any([signal, this.#life.signal]));
  }

  async submit(jobs: readonly JobSpec[], signal: AbortSignal): Promise<void> {
    this.#assertUsable(signal);
    for (const job of jobs) {
      for (const { attempt } of job.tasks) {
        this.#unadopted.delete(attempt);
        this.#handed.set(attempt, { job, isCancelled: this.#handed.get(attempt)?.isCancelled ?? false });
      }
    }
    this.#connection?.send({ op: "submit", jobs });
  }

  async cancel(attempts: readonly string[], signal: AbortSignal): Promise<void> {
    this.#assertUsable(signal);
    for (const attempt of attempts) {
      const handed = this.#handed.get(attempt);
      if (handed !== undefined) this.#handed.set(attempt, { ...handed, isCancelled: true });
    }
    this.#connection?.send({ op: "cancel", attempts });
  }

  async adopt(attempts: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Adoption>> {
    this.#assertUsable(signal);
    const adoptions = new Map<string, Adoption>();
    for (const attempt of attempts) {
      if (this.#unadopted.delete(attempt)) this.#handed.set(attempt, { job: null, isCancelled: false });
      if (this.#handed.has(attempt)) {
        adoptions.set(attempt, "running");
        continue;
      }
      const record = await readRecord(this.#place.storage, this.#place.run, attempt);
      signal.throwIfAborted();
      adoptions.set(attempt, record === null ? "never-submitted" : "finished");
      if (record !== null) this.#emit({ type: "finished", attempt, record });
    }
    return adoptions;
  }

  async close(signal: AbortSignal): Promise<null> {
    this.#life.abort();
    const isIdle = this.#handed.size === 0 && this.#unadopted.size === 0;
    await this.#connection?.release(isIdle, signal);
    this.#connection = null;
    return null;
  }

  detach(): void {
    this.#life.abort();
    this.#connection?.drop();
    this.#connection = null;
  }

  #assertUsable(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#broken !== null) throw this.#broken;
    if (this.#life.signal.aborted) throw new WfError("WF_INTERNAL", "The local backend was used after it was closed.");
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const handlers = {
      onMessage: (message: LauncherMessage) => this.#receive(message),
      onLost: (error: Error | null) => void this.#recover(error),
    };
    const connection = await reachLauncher(this.#place, handlers, signal);
    this.#connection = connection;
    await this.#settle(connection);
  }

  /**
   * Brings what was handed over in line with a launcher that may be another one than it was handed to: what has a
   * record is finished, what the launcher does not know was never started and is submitted again.
   */
  async #settle(connection: LauncherConnection): Promise<void> {
    const unknown = [...this.#handed.keys()].filter((attempt) => !this.#aliveAtHello.has(attempt));
    const jobs = new Set<JobSpec>();
    for (const attempt of unknown) {
      const record = await readRecord(this.#place.storage, this.#place.run, attempt);
      const job = this.#handed.get(attempt)?.job;
      if (record !== null) this.#finish(attempt, record);
      else if (job) jobs.add(job);
      else if (job === null) throw this.#orphaned(attempt);
    }
    if (jobs.size > 0) connection.send({ op: "submit", jobs: [...jobs] });
    const cancelled = [...this.#handed].filter(([, { isCancelled }]) => isCancelled).map(([attempt]) => attempt);
    if (cancelled.length > 0) connection.send({ op: "cancel", attempts: cancelled });
  }

  #receive(message: LauncherMessage): void {
    switch (message.event) {
      case "hello":
        this.#aliveAtHello = new Set([...message.running, ...message.queued]);
        this.#unadopted.clear();
        for (const attempt of this.#aliveAtHello) if (!this.#handed.has(attempt)) this.#unadopted.add(attempt);
        break;
      case "started":
        if (this.#handed.has(message.attempt)) {
          this.#emit({ type: "started", attempt: message.attempt, startedAt: message.startedAt });
        }
        break;
      case "finished":
        this.#unadopted.delete(message.attempt);
        this.#finish(message.attempt, message.record);
        break;
      case "error":
        this.#break(new WfError("WF_LAUNCHER", `The launcher cannot go on: ${message.message}`, this.#whereToLook()));
        break;
      default:
        message satisfies never;
    }
  }

  /** The one place from which an attempt's end is told: what is not handed over any more has been told. */
  #finish(attempt: string, record: TaskRecord): void {
    if (!this.#handed.delete(attempt)) return;
    this.#deathsWithoutProgress = 0;
    this.#emit({ type: "finished", attempt, record });
  }

  /**
   * The connection broke under us. A launcher that died is started again: before it listens, it ends whatever its
   * predecessor had started and records it as lost.
   */
  async #recover(error: Error | null): Promise<void> {
    this.#connection = null;
    try {
      if (error instanceof WfError) throw error;
      this.#deathsWithoutProgress += 1;
      if (this.#deathsWithoutProgress > MOST_DEATHS_WITHOUT_PROGRESS) {
        throw new WfError("WF_LAUNCHER", "The launcher died again and again.", this.#whereToLook());
      }
      await this.#connect(this.#life.signal);
    } catch (failure) {
      this.#break(failure);
    }
  }

  #break(cause: unknown): void {
    if (this.#life.signal.aborted) return;
    const error =
      cause instanceof WfError
        ? cause
        : new WfError("WF_LAUNCHER", "The launcher cannot be reached again.", { ...this.#whereToLook(), cause });
    this.#broken = error;
    this.#emit({ type: "broken", error });
    this.detach();
  }

  #emit(event: BackendEvent): void {
    if (!this.#life.signal.aborted) this.#onEvent(event);
  }

  /** It waited inside a job that an earlier engine had handed over, so the job is not known here. */
  #orphaned(attempt: string): WfError {
    return new WfError("WF_LAUNCHER", "The launcher died with an attempt that an earlier engine had handed to it.", {
      where: attempt,
      hint: `Type: wf resume ${this.#place.run}`,
    });
  }

  #whereToLook(): { where: string; hint: string } {
    const log = localRunFolder(this.#place.storage, this.#place.run).launcherLog;
    return { where: log, hint: `Read ${log}, then type: wf resume ${this.#place.run}` };
  }
}
