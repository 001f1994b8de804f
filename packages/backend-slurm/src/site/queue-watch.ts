import { setTimeout as delay } from "node:timers/promises";
import { nextPollMs, type PollSchedule, type RunOnLoginNode } from "@wf/backend-cluster";
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
  #dueMs = Number.POSITIVE_INFINITY;
  #wake: () => void = () => undefined;
  #onEvent: (event: WatchEvent) => void = () => undefined;

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
    if (ids.length > 0) this.#quietPolls = 0;
    this.#dueMs = Math.min(this.#dueMs, Date.now() + this.#schedule.everyMs);
    this.#wake();
  }

  /** There is something that only SLURM can explain. */
  hurry(): void {
    this.#dueMs = Math.min(this.#dueMs, Date.now() + HURRY_MS);
    this.#wake();
  }

  forget(id: string): void {
    this.#jobs.delete(id);
  }

  /** Goes on until the signal. Where there is nothing to watch, nothing is asked. */
  async run(onEvent: (event: WatchEvent) => void, signal: AbortSignal): Promise<void> {
    this.#onEvent = onEvent;
    while (!signal.aborted) {
      const restMs = this.#jobs.size === 0 ? LONG_MS : this.#dueMs - Date.now();
      if (restMs > 0) await this.#rest(restMs, signal);
      else {
        await this.#poll(signal);
        this.#dueMs = Date.now() + nextPollMs(this.#schedule, this.#quietPolls, this.#isInDoubt);
      }
    }
  }

  async #rest(restMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await delay(restMs, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => undefined);
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const queue = await this.#ask(
      ["squeue", "-h", "-r", "-t", "all", "-j", commonIds(this.#jobs), "-o", SQUEUE_FORMAT],
      signal,
    );
    const rows = queue === null ? null : parseSqueue(queue);
    const seen = observe(this.#jobs, { nowMs: Date.now(), queue: rows, accounting: null });
    this.#take(seen.jobs, seen.events);
    const account = seen.doubted.length === 0 ? null : await this.#accounting(seen.doubted, signal);
    const judged =
      account === null ? seen : observe(this.#jobs, { nowMs: Date.now(), queue: rows, accounting: account });
    if (judged !== seen) this.#take(judged.jobs, judged.events);
    this.#isInDoubt = judged.doubted.length > 0;
    const isNews = [...seen.events, ...judged.events].some(({ type }) => type === "ended" || type === "vanished");
    this.#quietPolls = isNews ? 0 : this.#quietPolls + 1;
  }

  /** Jobs that were forgotten or added while a command ran stay so. */
  #take(observed: WatchedJobs, events: readonly WatchEvent[]): void {
    const known = this.#jobs;
    const ended = new Set(events.filter(({ type }) => type === "ended" || type === "vanished").map(({ job }) => job));
    this.#jobs = new Map(
      [...known].filter(([job]) => !ended.has(job)).map(([job, was]) => [job, observed.get(job) ?? was]),
    );
    for (const event of events) if (known.has(event.job)) this.#onEvent(event);
  }

  async #accounting(doubted: readonly string[], signal: AbortSignal) {
    const ids = doubted.slice(0, MOST_IDS).join(",");
    const text = await this.#ask(["sacct", "-XPnD", "-j", ids, "-o", SACCT_COLUMNS.join(",")], signal);
    return text === null ? null : parseSacct(text);
  }

  /** Null where the command failed: it then says nothing. squeue fails, too, where it has forgotten the only job asked for. */
  async #ask(argv: readonly [string, ...string[]], signal: AbortSignal): Promise<string | null> {
    try {
      const { code, stdout, stderr } = await this.#command(argv, signal);
      if (code !== 0) return /Invalid job id specified/.test(stderr) ? "" : null;
      return stdout;
    } catch {
      return null;
    }
  }
}

const HURRY_MS = 500;
const LONG_MS = 24 * 3600 * 1000;

/** The jobs as sbatch named them: an array is one of them. */
function commonIds(jobs: WatchedJobs): string {
  return [...new Set([...jobs.keys()].map((job) => job.split("_")[0] as string))].join(",");
}
