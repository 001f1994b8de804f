import {
  type BatchSystem,
  bySubmission,
  type CancelHow,
  type Element,
  type Fit,
  type JobEnding,
  type JobPhase,
  type LoginNode,
  type LogNews,
  type SchedulerCommands,
  type Submission,
  type SubmitAnswer,
  type SystemEvent,
} from "@wf/backend-cluster";
import type { Account, JobSpec } from "@wf/protocol";
import type { HtcondorSettings, Placement } from "@wf/site";
import { classifyHold, type HoldClass } from "./ending/classify-hold.ts";
import { exitOf, failureOfEnd } from "./ending/failure-of-end.ts";
import type { JobEnd } from "./ending/job-end.ts";
import { parseCondorSubmit } from "./parsing/parse-condor-submit.ts";
import type { Hold, PoolEvent } from "./parsing/pool-event.ts";
import { askAccounts } from "./site/ask-accounts.ts";
import { PoolWatch } from "./site/pool-watch.ts";
import { Returns } from "./site/returns.ts";
import { description } from "./submitting/description.ts";
import { sentScript, sharedScript } from "./submitting/job-script.ts";
import { fitPool, type PoolRequest } from "./submitting/pool-request.ts";
import type { WatchEvent } from "./watching/watched-job.ts";

/** Holds that end an attempt. The others are left to people, who are told what to type. */
const ENDING_HOLDS: ReadonlySet<HoldClass> = new Set(["memory", "not-started", "input", "output"]);
/** How often HTCondor may try in vain to start a job. */
const MOST_SHADOWS = 5;
/** No task can name these among its secrets: they are no names of variables. */
const READ_TOKEN = "store:read";
const WRITE_TOKEN = "store:write";

/** For a store that is reached by http, where it wants them. */
export interface StoreTokens {
  readonly read?: string | undefined;
  readonly write?: string | undefined;
}

export interface CondorSystemOptions {
  readonly run: string;
  readonly python: string;
  readonly placement: Placement;
  readonly settings: HtcondorSettings;
  readonly login: LoginNode;
  readonly commands: SchedulerCommands;
  /** The event log of the run. */
  readonly log: string;
  readonly storeTokens: StoreTokens;
}

/** HTCondor, as far as it differs from other schedulers. */
export class CondorSystem implements BatchSystem<PoolRequest> {
  readonly title = "HTCondor";
  readonly howToRelease =
    "condor_release JOB lets them go on, once what it says is mended; condor_rm JOB gives them up";
  readonly largestSubmission: number;
  readonly #options: CondorSystemOptions;
  readonly #watch: PoolWatch;
  readonly #returns: Returns;
  /** Jobs whose records are there, and which HTCondor has not ended yet. */
  readonly #settled = new Set<string>();

  constructor(options: CondorSystemOptions) {
    const { settings, commands } = options;
    this.#options = options;
    this.largestSubmission = settings.limits.perSubmission;
    this.#returns = new Returns(options.login);
    this.#watch = new PoolWatch((argv, signal) => commands.run(argv, signal), {
      everyMs: settings.poll.every * 1000,
      atMostMs: settings.poll.atMost * 1000,
    });
  }

  fit(job: JobSpec): Fit<PoolRequest> {
    return fitPool(job, this.#options.settings.largest);
  }

  async submit(submission: Submission<PoolRequest>, signal: AbortSignal): Promise<SubmitAnswer> {
    const { run, python, placement, settings, login, commands, log, storeTokens } = this.#options;
    const { token, name, jobs, request, secrets } = submission;
    const place = { folder: login.folderOf(token), launcher: login.launcher, python, log };
    const allSecrets = {
      ...secrets,
      ...(storeTokens.read === undefined ? {} : { [READ_TOKEN]: storeTokens.read }),
      ...(storeTokens.write === undefined ? {} : { [WRITE_TOKEN]: storeTokens.write }),
    };
    const hasSecrets = Object.keys(allSecrets).length > 0;
    const document = {
      name,
      jobs,
      secrets: allSecrets,
      placement,
      store: this.#store(),
      script: this.#isShared ? sharedScript(settings, place) : sentScript(settings, place),
      description: description({ name, token, run, request, settings, placement, hasSecrets }, place),
    };
    this.#watch.expect(token);
    await commands.waitFor("condor_submit", signal);
    const reply = await login.submit(token, document, signal);
    commands.noteRun(reply.commands, "condor_submit");
    commands.noteAnswer(reply);
    const answer = parseCondorSubmit(reply);
    switch (answer.type) {
      case "accepted":
        this.#watch.submitted(token, answer.cluster);
        return { type: "accepted", id: answer.cluster };
      case "refused":
        this.#watch.submitted(token, null);
        return answer;
      default:
        return { type: "unknown" };
    }
  }

  jobName(id: string, index: number): string {
    return `${id}.${index}`;
  }

  async run(onEvent: (event: SystemEvent) => void, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const handlers = {
        onEvent: (event: WatchEvent) => this.#tell(event, onEvent, signal).catch(reject),
        onLogged: (event: PoolEvent) => this.#giveUpRestless(event, onEvent),
      };
      this.#watch.run(handlers, signal).then(resolve, reject);
    });
  }

  async #tell(event: WatchEvent, onEvent: (event: SystemEvent) => void, signal: AbortSignal): Promise<void> {
    const { job } = event;
    if (this.#settled.has(job)) return await this.#clear(event, onEvent, signal);
    switch (event.type) {
      case "running": {
        const startedAt = this.#watch.jobs.get(job)?.startedAt ?? null;
        // Where the storage is shared, the launcher tells of each task by itself.
        if (!this.#isShared && startedAt !== null) onEvent({ type: "started", job, startedAt });
        onEvent({ type: "released", job });
        return;
      }
      case "held":
        if (!ENDING_HOLDS.has(classifyHold(event.hold))) {
          if (classifyHold(event.hold) !== "spooling") onEvent({ type: "held", job, reason: wordsOf(event.hold) });
          return;
        }
        this.#watch.forget(job);
        onEvent({ type: "ended", job, ending: endingOf(endOfHold(event)) });
        await this.#remove([job], signal);
        return;
      case "ended":
        this.#tellEnd(job, event.end, onEvent);
        // One that has to leave its machine stays in the queue, where it would wait for ever.
        if (event.end.how === "evicted") await this.#remove([job], signal);
        return;
      case "waiting":
        onEvent({ type: "released", job });
        return;
      case "disconnected":
        return;
      default:
        event satisfies never;
    }
  }

  /** One that is held or sent away although its work is done would stay in the queue. */
  async #clear(event: WatchEvent, onEvent: (event: SystemEvent) => void, signal: AbortSignal): Promise<void> {
    const { type, job } = event;
    if (type !== "held" && type !== "ended") return;
    this.#settled.delete(job);
    this.#watch.forget(job);
    this.#tellEnd(job, type === "held" ? endOfHold(event) : event.end, onEvent);
    if (type === "held" || event.end.how === "evicted") await this.#remove([job], signal);
  }

  #tellEnd(job: string, end: JobEnd, onEvent: (event: SystemEvent) => void): void {
    onEvent(end.how === "unknown" ? { type: "vanished", job } : { type: "ended", job, ending: endingOf(end) });
  }

  /** Where the processes that look after a job fail again and again, it never starts. */
  #giveUpRestless({ type, job, information }: PoolEvent, onEvent: (event: SystemEvent) => void): void {
    const known = this.#watch.jobs.get(job);
    if (type !== "shadow-failed" || known === undefined || known.startedAt !== null) return;
    const tries = information?.shadowStarts ?? 0;
    if (tries < MOST_SHADOWS) return;
    const message = `HTCondor has tried ${tries} times in vain to start its job (job ${job}). Why: condor_q -analyze ${job}, and the ShadowLog of the submit host`;
    onEvent({ type: "hopeless", job, message });
  }

  watch(jobs: readonly string[]): void {
    this.#watch.watch(jobs);
  }

  settled(job: string): void {
    if (this.#watch.jobs.has(job)) this.#settled.add(job);
  }

  confirm(): void {
    this.#watch.hurry();
  }

  hurry(): void {
    this.#watch.hurry();
  }

  hearLog(news: LogNews): void {
    this.#watch.hearLog(news);
  }

  phaseOf(job: string): JobPhase | undefined {
    const { known, startedAt = null } = this.#watch.jobs.get(job) ?? {};
    switch (known?.phase) {
      case undefined:
      case "submitted":
        return known && { phase: "submitted" };
      case "waiting":
        return { phase: "waiting", reason: "idle", isHeld: false };
      case "held": {
        return { phase: "waiting", reason: wordsOf(known.hold), isHeld: true, hasLeft: startedAt !== null };
      }
      case "running":
      case "disconnected":
      case "leaving":
        return { phase: "running" };
      default:
        known satisfies undefined;
        return undefined;
    }
  }

  async cancel(elements: readonly Element[], how: CancelHow, signal: AbortSignal): Promise<void> {
    await this.#remove(namesOf(elements), signal, how === "for-good" ? ["-forcex"] : []);
  }

  removal(elements: readonly Element[]): string {
    return `condor_rm ${namesOf(elements).join(" ")}`;
  }

  async accounts(jobs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Account>> {
    return await askAccounts(jobs, (argv) => this.#options.commands.run(argv, signal));
  }

  gather(element: Element, signal: AbortSignal): Promise<string | null> {
    return this.#isShared ? Promise.resolve(null) : this.#returns.gather(element, signal);
  }

  /** What the launcher on a machine has to know of the store that it fetches from; null where HTCondor brings all. */
  #store(): object | null {
    const { placement, settings, login, python } = this.#options;
    if (placement !== "copy" || settings.store === undefined) return null;
    const { url, identity, knownHosts } = settings.store;
    const command = [python, "-I", "-S", login.launcher];
    return { url, identity, knownHosts, command, readSecret: READ_TOKEN, writeSecret: WRITE_TOKEN };
  }

  get #isShared(): boolean {
    return this.#options.placement === "shared";
  }

  /** Where there is nothing to remove, nothing is run. */
  async #remove(jobs: readonly string[], signal: AbortSignal, options: readonly string[] = []): Promise<void> {
    if (jobs.length > 0) await this.#options.commands.run(["condor_rm", ...options, ...jobs], signal);
  }
}

function endOfHold({ hold, slot, startedAt, heldAt }: WatchEvent & { type: "held" }): JobEnd {
  return { how: "held", hold, slot, startedAt, endedAt: heldAt };
}

function wordsOf({ reason, code, subcode }: Hold): string {
  return `${reason} [hold ${code}.${subcode}]`;
}

export function endingOf(end: JobEnd): JobEnding {
  return {
    nodes: end.slot ?? "",
    startedAt: end.startedAt,
    endedAt: end.endedAt,
    // Where it ends a job for its memory, that is at what the job asked for, and nobody has seen more.
    peakMemoryBytes: null,
    isByItself: end.how === "terminated" && exitOf(end) === null,
    exit: exitOf(end),
    failure: (printed) => failureOfEnd(end, printed),
    interruption: (printed) => (end.how === "terminated" ? null : failureOfEnd(end, printed)),
  };
}

/** The fewest words for condor_rm: a whole cluster by its number alone. */
function namesOf(elements: readonly Element[]): readonly string[] {
  return [...bySubmission(elements)].flatMap(([id, some]) => {
    const isWhole = some.length === (some[0] as Element).siblings;
    return isWhole ? [id] : some.map(({ index }) => `${id}.${index}`);
  });
}
