import {
  type BatchSystem,
  bySubmission,
  type CancelHow,
  type Element,
  type Fit,
  type JobEnding,
  type JobPhase,
  type LoginNode,
  type SchedulerCommands,
  type Submission,
  type SubmitAnswer,
  type SystemEvent,
} from "@wf/backend-cluster";
import { type Account, type JobSpec, shellLine } from "@wf/protocol";
import type { SlurmSettings } from "@wf/site";
import { endedByItself, exitOf, failureOfEnd, failureOfInterruption } from "./ending/failure-of-end.ts";
import type { JobEnd } from "./ending/job-end.ts";
import { formatIndices } from "./parsing/array-indices.ts";
import { showJobId } from "./parsing/job-id.ts";
import { parseSbatch } from "./parsing/parse-sbatch.ts";
import { classifyReason } from "./parsing/pending-reason.ts";
import { askAccounts } from "./site/ask-accounts.ts";
import { QueueWatch } from "./site/queue-watch.ts";
import { fitPartition, type SlurmRequest } from "./submitting/slurm-request.ts";
import { submitScript } from "./submitting/submit-script.ts";
import type { WatchEvent } from "./watching/observe.ts";

const SCANCEL_OPTIONS: Readonly<Record<CancelHow, readonly string[]>> = {
  waiting: [],
  gently: ["--batch", "--signal=INT"],
  "for-good": [],
};

export interface SlurmSystemOptions {
  readonly run: string;
  readonly python: string;
  readonly settings: SlurmSettings;
  readonly login: LoginNode;
  readonly commands: SchedulerCommands;
  /** Jobs that have to end well before anything of the run starts. */
  readonly after?: readonly string[] | undefined;
}

type ScriptSubmission = Pick<Submission<unknown>, "token" | "name" | "secrets"> & { readonly jobs: readonly object[] };

/** Jobs of SLURM that are not the engine's own. */
export interface PilotListener {
  hasPilot(job: string): boolean;
  hear(event: WatchEvent): Promise<void>;
  /** These jobs ran when a listing was asked for. */
  listed(running: readonly string[], askedMs: number): void;
}

/** SLURM, as far as it differs from other schedulers. */
export class SlurmSystem implements BatchSystem<SlurmRequest> {
  readonly title = "SLURM";
  readonly howToRelease = "scontrol release JOB lets them go on";
  readonly largestSubmission: number;
  readonly #options: SlurmSystemOptions;
  readonly #queue: QueueWatch;
  readonly #brokenNodes = new Set<string>();
  #hasBegun = false;
  #pilots: PilotListener | null = null;

  constructor(options: SlurmSystemOptions) {
    const { settings, commands } = options;
    this.#options = options;
    this.largestSubmission = settings.limits.arraySize;
    this.#queue = new QueueWatch((argv, signal) => commands.run(argv, signal), {
      everyMs: settings.poll.every * 1000,
      atMostMs: settings.poll.atMost * 1000,
    });
  }

  tellPilots(pilots: PilotListener): void {
    this.#pilots = pilots;
  }

  /** Nothing is started on them, as long as there are others. */
  get brokenNodes(): readonly string[] {
    return [...this.#brokenNodes].sort();
  }

  /** What jobs have to wait for. SLURM forgets jobs that have ended, so this ends when the first of the run has started. */
  get after(): readonly string[] {
    return this.#hasBegun ? [] : (this.#options.after ?? []);
  }

  fit(job: JobSpec): Fit<SlurmRequest> {
    return fitPartition(job, this.#options.settings.partitions);
  }

  async submit(submission: Submission<SlurmRequest>, signal: AbortSignal): Promise<SubmitAnswer> {
    const { run, python, settings, login } = this.#options;
    const { token, name, jobs, request } = submission;
    const script = (excludedNodes: readonly string[]) =>
      submitScript(
        { ...request, name, elements: jobs.length, settings, excludedNodes, after: this.after },
        { run, folder: login.folderOf(token), python, launcher: login.launcher },
      );
    return await this.sbatch(submission, script, signal);
  }

  /**
   * Hands a script over, once. `script` is told which nodes to avoid; where none is left but those that broke, it is
   * rather waited for one of them.
   */
  async sbatch(
    submission: ScriptSubmission,
    script: (excludedNodes: readonly string[]) => string,
    signal: AbortSignal,
  ): Promise<SubmitAnswer> {
    const answer = await this.#sbatch(submission, script(this.brokenNodes), signal);
    if (answer.type !== "refused" || this.#brokenNodes.size === 0) return answer;
    this.#brokenNodes.clear();
    return await this.#sbatch(submission, script([]), signal);
  }

  async #sbatch(
    { token, name, jobs, secrets }: ScriptSubmission,
    script: string,
    signal: AbortSignal,
  ): Promise<SubmitAnswer> {
    const { login, commands } = this.#options;
    await commands.waitFor("sbatch", signal);
    const reply = await login.submit(token, { name, script, jobs, secrets }, signal);
    commands.noteRun(reply.commands, "sbatch");
    commands.noteAnswer(reply);
    const answer = parseSbatch(reply);
    return answer.type === "accepted" || answer.type === "refused" ? answer : { type: "unknown" };
  }

  jobName(id: string, index: number, siblings: number): string {
    return showJobId({ id, index: siblings > 1 ? index : null });
  }

  async run(onEvent: (event: SystemEvent) => void, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#queue
        .run(
          (event) => {
            if (event.type === "running" || event.type === "ended") this.#hasBegun = true;
            if (this.#pilots?.hasPilot(event.job) === true) this.#pilots.hear(event).catch(reject);
            else this.#tell(event, onEvent);
          },
          (running, askedMs) => this.#pilots?.listed(running, askedMs),
          signal,
        )
        .then(resolve, reject);
    });
  }

  #tell(event: WatchEvent, onEvent: (event: SystemEvent) => void): void {
    switch (event.type) {
      case "waiting": {
        const { job, reason } = event;
        const kind = classifyReason(reason);
        onEvent(kind === "held" ? { type: "held", job, reason } : { type: "released", job });
        if (kind === "never") {
          const message = `SLURM will never start its job (${reason}, job ${job}): ${adviceFor(reason)}`;
          onEvent({ type: "hopeless", job, message });
        }
        return;
      }
      case "running":
        onEvent({ type: "released", job: event.job });
        return;
      case "ended":
        this.#noteNodes(event.end);
        onEvent({ type: "ended", job: event.job, ending: endingOf(event.end) });
        return;
      case "vanished":
        onEvent(event);
        return;
      default:
        event satisfies never;
    }
  }

  #noteNodes(end: JobEnd): void {
    const isBroken = failureOfEnd(end, "").class === "node-failed";
    if (isBroken && /^[\w.-]+$/.test(end.nodes)) this.#brokenNodes.add(end.nodes);
  }

  watch(jobs: readonly string[]): void {
    this.#queue.watch(jobs);
  }

  settled(job: string): void {
    this.#hasBegun = true;
    this.#queue.settled(job);
  }

  confirm(): void {
    this.#queue.confirm();
  }

  hurry(): void {
    this.#queue.hurry();
  }

  phaseOf(job: string): JobPhase | undefined {
    const known = this.#queue.jobs.get(job)?.known;
    if (known?.phase !== "waiting") return known;
    return { ...known, isHeld: classifyReason(known.reason) === "held" };
  }

  async cancel(elements: readonly Element[], how: CancelHow, signal: AbortSignal): Promise<void> {
    await this.cancelJobs(namesForScancel(elements), signal, SCANCEL_OPTIONS[how]);
  }

  removal(elements: readonly Element[]): string {
    return shellLine(["scancel", ...namesForScancel(elements)]);
  }

  /** Where there is nothing to cancel, nothing is run. */
  async cancelJobs(jobs: readonly string[], signal: AbortSignal, options: readonly string[] = []): Promise<void> {
    if (jobs.length > 0) await this.#options.commands.run(["scancel", "--quiet", ...options, ...jobs], signal);
  }

  async accounts(jobs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Account>> {
    return await askAccounts(jobs, (argv) => this.#options.commands.run(argv, signal));
  }
}

function adviceFor(reason: string): string {
  return reason === "DependencyNeverSatisfied"
    ? "the job that it was to wait for has not ended well"
    : 'ask for less, or name another partition in sites.yaml. What there is: sinfo -o "%P %l %D %c %m %G"';
}

export function endingOf(end: JobEnd): JobEnding {
  const { nodes, startedAt, endedAt, peakMemoryBytes } = end;
  return {
    nodes,
    startedAt,
    endedAt,
    peakMemoryBytes,
    isByItself: endedByItself(end),
    exit: exitOf(end),
    failure: (printed: string) => failureOfEnd(end, printed),
    interruption: (printed: string) => failureOfInterruption(end, printed),
  };
}

/** The fewest words for scancel: a whole array by its id alone. */
function namesForScancel(elements: readonly Element[]): readonly string[] {
  return [...bySubmission(elements)].map(([id, some]) => {
    const isWhole = some.length === (some[0] as Element).siblings;
    return isWhole ? id : `${id}_[${formatIndices(some.map(({ index }) => index))}]`;
  });
}
