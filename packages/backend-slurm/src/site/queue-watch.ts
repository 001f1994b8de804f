import { setTimeout as delay } from "node:timers/promises";
import { nextPollMs, type PollSchedule, type RunOnLoginNode } from "@wf/backend-cluster";
import { steadyNow } from "@wf/transport";
import { showJobId } from "../parsing/job-id.ts";
import { parseSacct, SACCT_COLUMNS } from "../parsing/parse-sacct.ts";
import { parseSqueue, SQUEUE_FORMAT } from "../parsing/parse-squeue.ts";
import { NEWLY_SUBMITTED, observe, type WatchEvent, type WatchedJob, type WatchedJobs } from "../watching/observe.ts";

/** Asks about at most so many jobs in one call of sacct: a command line has its limits. */
const MOST_IDS = 500;

/** Asks the queue, then accounting, about all jobs at once: the safety net under the records. */
export class QueueWatch {
  readonly #command: RunOnLoginNode;
  readonly #schedule: PollSchedule;
  #jobs = new Map<string, WatchedJob>();
  #quietPolls = 0;
  #isInDoubt = false;
  /** The last pause, where only ends are waited for. */
  #confirmingMs: number | null = null;
  #dueMs = Number.POSITIVE_INFINITY;
  #wake: () => void = () => undefined;
  #onEvent: (event: WatchEvent) => void = () => undefined;
  #onListed: (running: readonly string[], askedMs: number) => void = () => undefined;

  constructor(command: RunOnLoginNode, schedule: PollSchedule) {
    this.#command = command;
    this.#schedule = schedule;
  }

  /** What is known of the jobs that have not ended. */
  get jobs(): WatchedJobs {
    return this.#jobs;
  }

  watch(ids: readonly string[]): void {
    for (const id of ids) this.#jobs.set(id, NEWLY_SUBMITTED);
    if (ids.length > 0) {
      this.#quietPolls = 0;
      this.#confirmingMs = null;
    }
    this.#dueMs = Math.min(this.#dueMs, steadyNow() + this.#schedule.everyMs);
    this.#wake();
  }

  /** There is something that only SLURM can explain. */
  hurry(): void {
    this.#dueMs = Math.min(this.#dueMs, steadyNow() + HURRY_MS);
    this.#wake();
  }

  /** Its attempts have all their records: only how it ended is still to be heard. */
  settled(id: string): void {
    const job = this.#jobs.get(id);
    if (job !== undefined) this.#jobs.set(id, { ...job, isSettled: true });
  }

  /** Nothing but ends is waited for: they are asked for soon, and then less and less often. */
  confirm(): void {
    this.#confirmingMs = FIRST_CONFIRM_MS;
    this.hurry();
  }

  /** Goes on until the signal. `onListed`: what ran when a listing was asked for. Where there is nothing to watch, nothing is asked. */
  async run(
    onEvent: (event: WatchEvent) => void,
    onListed: (running: readonly string[], askedMs: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    this.#onEvent = onEvent;
    this.#onListed = onListed;
    while (!signal.aborted) {
      const restMs = this.#jobs.size === 0 ? LONG_MS : this.#dueMs - steadyNow();
      if (restMs > 0) await this.#rest(restMs, signal);
      else {
        await this.#poll(signal);
        this.#dueMs = steadyNow() + this.#pauseMs();
      }
    }
  }

  #pauseMs(): number {
    const usualMs = nextPollMs(this.#schedule, this.#quietPolls, this.#isInDoubt);
    if (this.#confirmingMs === null) return usualMs;
    this.#confirmingMs *= CONFIRM_GROWTH;
    return Math.min(usualMs, this.#confirmingMs);
  }

  async #rest(restMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await delay(restMs, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined);
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const askedMs = steadyNow();
    const queue = await this.#ask(
      ["squeue", "-h", "-r", "-t", "all", "-j", commonIds(this.#jobs), "-o", SQUEUE_FORMAT],
      signal,
    );
    const rows = queue === null ? null : parseSqueue(queue);
    const seen = observe(this.#jobs, { nowMs: steadyNow(), queue: rows, accounting: null });
    this.#take(seen.jobs, seen.events);
    this.#onListed(rows?.flatMap((row) => (row.state === "running" ? row.jobs.map(showJobId) : [])) ?? [], askedMs);
    const asked = seen.doubted.slice(0, MOST_IDS);
    const account = asked.length === 0 ? null : await this.#accounting(asked, signal);
    const judged =
      account === null
        ? seen
        : observe(onlySome(this.#jobs, asked), { nowMs: steadyNow(), queue: rows, accounting: account });
    if (judged !== seen) this.#take(judged.jobs, judged.events);
    this.#isInDoubt = judged.doubted.length > 0 || asked.length < seen.doubted.length;
    const isNews = [...seen.events, ...judged.events].some(({ type }) => type === "ended" || type === "vanished");
    this.#quietPolls = isNews ? 0 : this.#quietPolls + 1;
  }

  /** Jobs that were added or settled while a command ran stay so. */
  #take(observed: WatchedJobs, events: readonly WatchEvent[]): void {
    const known = this.#jobs;
    const ended = new Set(events.filter(({ type }) => type === "ended" || type === "vanished").map(({ job }) => job));
    this.#jobs = new Map(
      [...known]
        .filter(([job]) => !ended.has(job))
        .map(([job, was]) => [job, { ...(observed.get(job) ?? was), isSettled: was.isSettled ?? false }]),
    );
    for (const event of events) this.#onEvent(event);
  }

  async #accounting(jobs: readonly string[], signal: AbortSignal) {
    const text = await this.#ask(["sacct", "-PnD", "-j", jobs.join(","), "-o", SACCT_COLUMNS.join(",")], signal);
    return text === null ? null : parseSacct(text);
  }

  /** Null where the command failed: it then says nothing. */
  async #ask(argv: readonly [string, ...string[]], signal: AbortSignal): Promise<string | null> {
    try {
      const { code, stdout, stderr } = await this.#command(argv, signal);
      if (code !== 0) return KNOWS_NOTHING.test(stderr) ? "" : null;
      return stdout;
    } catch {
      return null;
    }
  }
}

/** squeue fails where it has forgotten the only job asked for, and sacct where a cluster keeps no accounts. */
const KNOWS_NOTHING = /Invalid job id specified|accounting storage is disabled/i;
const HURRY_MS = 500;
const FIRST_CONFIRM_MS = 200;
const CONFIRM_GROWTH = 1.5;
const LONG_MS = 24 * 3600 * 1000;

/** Accounting may miss only jobs that it was asked about. */
function onlySome(jobs: WatchedJobs, wanted: readonly string[]): WatchedJobs {
  return new Map(wanted.flatMap((job) => (jobs.has(job) ? [[job, jobs.get(job) as WatchedJob]] : [])));
}

/** The jobs as sbatch named them: an array is one of them. */
function commonIds(jobs: WatchedJobs): string {
  return [...new Set([...jobs.keys()].map((job) => job.split("_")[0] as string))].join(",");
}
