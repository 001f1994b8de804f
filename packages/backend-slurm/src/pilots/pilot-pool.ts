import { setTimeout as delay } from "node:timers/promises";
import type { LeftInQueue } from "@wf/backend";
import {
  type JobFailure,
  type LoginNode,
  type LookReply,
  type Pool,
  type PoolHooks,
  unknownEnding,
} from "@wf/backend-cluster";
import { type JobSpec, shellLine, WfError } from "@wf/protocol";
import type { PilotSettings, SlurmPartition, SlurmSettings } from "@wf/site";
import { EXIT_TOLD_TO_END } from "../ending/failure-of-end.ts";
import type { JobEnd } from "../ending/job-end.ts";
import { classifyReason } from "../parsing/pending-reason.ts";
import { endingOf, type PilotListener, type SlurmSystem } from "../slurm-system.ts";
import { choosePartition } from "../submitting/choose-partition.ts";
import type { WatchEvent } from "../watching/observe.ts";
import { failureOfPilot } from "./failure-of-pilot.ts";
import { type PilotPlace, pilotJob, pilotJobName, pilotRequest, pilotScript } from "./pilot-submission.ts";
import { fitsPilot, pilotsWanted } from "./pilot-terms.ts";

const MOST_BARREN = 2;
const RETRY_MS = 10_000;
/** A record may be on its way from a node when the scheduler already says that its pilot is over. */
const RECORD_PATIENCE_MS = 3_000;

interface PoolOptions extends PoolHooks, Omit<PilotPlace, "launcher"> {
  readonly settings: SlurmSettings & { readonly pilots: PilotSettings };
  readonly login: LoginNode;
  readonly system: SlurmSystem;
}

interface Pilot {
  /** Null while SLURM has not taken it. */
  id: string | null;
  /** It claims no more. */
  hasLeft: boolean;
}

/** Null where a site has no pilots. */
export function pilotPool(options: Omit<PoolOptions, "settings"> & { readonly settings: SlurmSettings }) {
  const { pilots } = options.settings;
  return pilots === undefined ? null : new PilotPool({ ...options, settings: { ...options.settings, pilots } });
}

/** The pilots of a run, and what was left for them in the mailbox. */
class PilotPool implements Pool, PilotListener {
  readonly #options: PoolOptions;
  readonly #partition: SlurmPartition | null;
  readonly #pilots = new Map<string, Pilot>();
  /** Those of which it was told how they ended. */
  readonly #over = new Set<string>();
  /** What was handed over and has not finished, with its cpus. */
  readonly #open = new Map<string, number>();
  /** Which pilot runs an attempt. */
  readonly #pilotOf = new Map<string, string>();
  #unposted: JobSpec[] = [];
  #window: NodeJS.Timeout | null = null;
  #lastNumber = 0;
  /** How many pilots in a row have failed and had nothing to show for it. */
  #barren = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    const { settings, signal } = options;
    const choice = choosePartition(pilotRequest(settings.pilots), settings.partitions);
    if (choice.type === "none") {
      throw new WfError("WF_SITE_INVALID", `The pilots of the site cannot be had: ${choice.message}`, {
        hint: "ask for less in slurm.pilots of sites.yaml",
      });
    }
    this.#partition = choice.partition;
    signal.addEventListener("abort", () => this.#window && clearTimeout(this.#window), { once: true });
  }

  fits(job: JobSpec): boolean {
    return fitsPilot(job, this.#options.settings.pilots);
  }

  has(attempt: string): boolean {
    return this.#open.has(attempt);
  }

  hasPilot(job: string): boolean {
    return this.#byId(job) !== undefined;
  }

  add(jobs: readonly JobSpec[]): void {
    if (jobs.length === 0) return;
    for (const { cpus, tasks } of jobs) {
      for (const { attempt } of tasks) this.#open.set(attempt, cpus / tasks.length);
    }
    this.#unposted.push(...jobs);
    const { settings, onFailed } = this.#options;
    this.#window ??= setTimeout(() => void this.#post().catch(onFailed), settings.batchWindow * 1000);
  }

  /** What an earlier engine had left in the mailbox. */
  adoptAttempts(attempts: readonly string[]): void {
    for (const attempt of attempts) this.#open.set(attempt, 1);
    if (attempts.length > 0) this.#ensure([]);
  }

  /** Pilots of an earlier engine. */
  async adoptPilots(pilots: LookReply["pilots"]): Promise<void> {
    for (const [token, { id, hasLeft }] of Object.entries(pilots)) {
      this.#lastNumber = Math.max(this.#lastNumber, Number(/^pilot-(\d+)$/.exec(token)?.[1] ?? 0));
      if (this.#pilots.has(token)) continue;
      const known = id ?? (await this.#options.recall(token));
      if (known === null) continue;
      this.#pilots.set(token, { id: known, hasLeft });
      this.#options.system.watch([known]);
    }
  }

  /** Also of attempts that an earlier engine had left here, and that have their records. */
  begun(attempt: string, pilot: string): void {
    if (this.#pilots.has(pilot) || this.#over.has(pilot)) this.#pilotOf.set(attempt, pilot);
  }

  pilotOf(attempt: string): string | undefined {
    return this.#pilotOf.get(attempt);
  }

  /** A pilot that has nothing to do leaves as soon as it is asked to. */
  confirm(): void {
    const { login, signal, onFailed } = this.#options;
    if (this.#pilots.size > 0) void login.sendPilotsHome(signal).catch(onFailed);
  }

  listed(running: readonly string[], askedMs: number): void {
    for (const job of running) {
      const token = this.#byId(job);
      if (token !== undefined) this.#options.onAlive(token, askedMs);
    }
  }

  finished(attempt: string): void {
    this.#open.delete(attempt);
    this.#pilotOf.delete(attempt);
  }

  async cancel(attempts: readonly string[], failure: JobFailure, signal: AbortSignal): Promise<void> {
    if (attempts.length === 0) return;
    if (this.#unposted.length > 0) await this.#post();
    await this.#options.login.takeBack({ attempts, failure, isOnlyWaiting: false }, signal);
  }

  async hear(event: WatchEvent): Promise<void> {
    switch (event.type) {
      case "waiting":
        if (classifyReason(event.reason) === "never") await this.#giveUp(event.job, event.reason);
        return;
      case "running":
        return;
      case "ended":
        return await this.#conclude(event.job, event.end);
      case "vanished":
        return await this.#conclude(event.job, null);
      default:
        event satisfies never;
    }
  }

  /** Pilots that nobody has work for are not left waiting for it. */
  async close(failure: JobFailure, signal: AbortSignal): Promise<LeftInQueue | null> {
    const { login, system } = this.#options;
    const attempts = [...this.#open.keys()];
    if (attempts.length > 0) await login.takeBack({ attempts, failure, isOnlyWaiting: true }, signal);
    const busy = new Set(this.#pilotOf.values());
    const idsOf = (isBusy: boolean) =>
      [...this.#pilots].flatMap(([token, { id }]) => (busy.has(token) === isBusy ? (id ?? []) : []));
    await system.cancelJobs(idsOf(false), signal);
    const jobs = idsOf(true);
    return jobs.length === 0 ? null : { jobs, remove: shellLine(["scancel", ...jobs]) };
  }

  async #post(): Promise<void> {
    if (this.#window !== null) clearTimeout(this.#window);
    this.#window = null;
    const jobs = this.#unposted;
    this.#unposted = [];
    this.#ensure(await this.#options.login.post(jobs, this.#options.signal));
  }

  /** As many pilots as there is work for. `left` are tokens of those that will not do it. */
  #ensure(left: readonly string[]): void {
    for (const token of left) {
      const pilot = this.#pilots.get(token);
      if (pilot !== undefined) pilot.hasLeft = true;
    }
    const cpus = [...this.#open.values()].reduce((sum, some) => sum + some, 0);
    const alive = [...this.#pilots.values()].filter(({ hasLeft }) => !hasLeft).length;
    for (let more = pilotsWanted(cpus, this.#options.settings.pilots) - alive; more > 0; more--) {
      this.#lastNumber += 1;
      void this.#submit(`pilot-${this.#lastNumber}`).catch(this.#options.onFailed);
    }
  }

  async #submit(token: string): Promise<void> {
    const { settings, login, system, signal } = this.#options;
    const pilot: Pilot = { id: null, hasLeft: false };
    this.#pilots.set(token, pilot);
    const request = pilotRequest(settings.pilots);
    const place = { ...this.#options, launcher: login.launcher, folder: login.folderOf(token) };
    const script = (excludedNodes: readonly string[]) =>
      pilotScript(place, { token, request, partition: this.#partition, settings, excludedNodes, after: system.after });
    const submission = {
      token,
      name: pilotJobName(place, token),
      jobs: [pilotJob(token, settings.pilots)],
      secrets: {},
    };
    for (;;) {
      const answer = await system.sbatch(submission, script, signal);
      if (answer.type === "accepted") {
        pilot.id = answer.id;
        system.watch([answer.id]);
        return;
      }
      if (answer.type === "refused") {
        this.#pilots.delete(token);
        await this.#refuse(`SLURM refused its pilot: ${answer.words}`);
        return;
      }
      await delay(RETRY_MS, undefined, { signal });
    }
  }

  /** What waits would wait for ever. What other pilots have goes on. */
  async #refuse(message: string): Promise<void> {
    const { login, signal } = this.#options;
    const failure: JobFailure = { class: "not-started", message };
    await login.takeBack({ attempts: [...this.#open.keys()], failure, isOnlyWaiting: true }, signal);
  }

  async #giveUp(job: string, reason: string): Promise<void> {
    const { system, signal } = this.#options;
    await system.cancelJobs([job], signal);
    await this.#refuse(`SLURM will never start its pilot (${reason}, job ${job})`);
  }

  /** What it had claimed and not recorded is lost; what waits is for the others. */
  async #conclude(job: string, end: JobEnd | null): Promise<void> {
    const token = this.#byId(job);
    if (token === undefined) return;
    const { login, signal } = this.#options;
    await delay(RECORD_PATIENCE_MS, undefined, { signal });
    const printed = await login.outputOf({ token, index: 0 }, signal);
    const failure: JobFailure =
      end === null
        ? { class: "lost", message: `SLURM knows nothing of its pilot any more (job ${job})` }
        : failureOfPilot(end, printed);
    const { startedAt = null, endedAt = null } = end ?? {};
    const host = end?.nodes || null;
    const settled = await login.settlePilot({ pilot: token, failure, host, startedAt, endedAt }, signal);
    this.#pilots.delete(token);
    this.#over.add(token);
    const its = [...this.#pilotOf].flatMap(([attempt, pilot]) => (pilot === token ? [attempt] : []));
    const ending = end === null ? unknownEnding(failure) : endingOf(end);
    this.#options.onOver(token, its, { why: failure.class === "lost" ? null : failure, ending, printed });
    const isBarren = end?.state === "failed" && end.exitCode !== EXIT_TOLD_TO_END && settled.length === 0;
    this.#barren = isBarren ? this.#barren + 1 : 0;
    if (this.#barren < MOST_BARREN) this.#ensure([]);
    else await this.#refuse(`pilots end before they have done anything: ${failure.message}`);
  }

  #byId(job: string): string | undefined {
    for (const [token, { id }] of this.#pilots) if (id === job) return token;
    return undefined;
  }
}
