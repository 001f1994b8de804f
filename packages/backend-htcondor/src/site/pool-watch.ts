import { setTimeout as delay } from "node:timers/promises";
import type { LogNews, PollSchedule, RunOnLoginNode } from "@wf/backend-cluster";
import { steadyNow } from "@wf/transport";
import { parseEvents } from "../parsing/parse-events.ts";
import { type JobRow, parseRows, ROW_ATTRIBUTES } from "../parsing/parse-rows.ts";
import type { PoolEvent } from "../parsing/pool-event.ts";
import { observeEvents } from "../watching/observe-events.ts";
import { observeRows } from "../watching/observe-rows.ts";
import { NEWLY_SUBMITTED, type WatchEvent, type WatchedJob, type WatchedJobs } from "../watching/watched-job.ts";

const LONG_MS = 24 * 3600 * 1000;

export interface PoolWatchHandlers {
  onEvent(event: WatchEvent): void;
  /** Every entry of the log, once or more often. */
  onLogged(event: PoolEvent): void;
}

/**
 * Hears of jobs from the event log of the run. The queue and the history are asked only where the log is silent for long,
 * was lost, or does not explain what happened: about all jobs at once.
 */
export class PoolWatch {
  readonly #command: RunOnLoginNode;
  readonly #schedule: PollSchedule;
  #handlers: PoolWatchHandlers = { onEvent: () => undefined, onLogged: () => undefined };
  #jobs = new Map<string, WatchedJob>();
  /** Submissions whose jobs are not watched yet: the token, and the cluster once condor_submit has answered. */
  readonly #expected = new Map<string, string | null>();
  /** Entries of jobs that nobody watches, by their cluster: a job may run before condor_submit has answered. */
  readonly #unclaimed = new Map<string, PoolEvent[]>();
  #unread = "";
  #utcOffsetSeconds: number | undefined;
  /** When the log has been silent for so long that others are asked. */
  #silentMs = Number.POSITIVE_INFINITY;
  /** When others are asked, whatever the log tells meanwhile. */
  #urgentMs = Number.POSITIVE_INFINITY;
  #settleMs = Number.POSITIVE_INFINITY;
  #wake: () => void = () => undefined;

  constructor(command: RunOnLoginNode, schedule: PollSchedule) {
    this.#command = command;
    this.#schedule = schedule;
  }

  /** What is known of the jobs that have not ended. */
  get jobs(): WatchedJobs {
    return this.#jobs;
  }

  /** From now on, what is heard of this submission is kept until its jobs are watched. */
  expect(token: string): void {
    if (!this.#expected.has(token)) this.#expected.set(token, null);
  }

  /** It was submitted as this cluster, or, null, refused. */
  submitted(token: string, cluster: string | null): void {
    if (cluster === null) this.#forgetSubmission(token);
    else this.#expected.set(token, cluster);
  }

  /** Of those that an earlier engine has submitted, the log may have told everything before they are watched. */
  watch(jobs: readonly string[]): void {
    for (const job of jobs) if (!this.#jobs.has(job)) this.#jobs.set(job, NEWLY_SUBMITTED);
    this.#noteLife();
    for (const cluster of new Set(jobs.map(clusterOf))) {
      const [token] = [...this.#expected].find(([, submitted]) => submitted === cluster) ?? [];
      if (token === undefined) {
        this.hurry();
        continue;
      }
      const heard = this.#unclaimed.get(cluster) ?? [];
      this.#unclaimed.delete(cluster);
      this.#forgetSubmission(token);
      this.#observe(heard);
    }
  }

  #forgetSubmission(token: string): void {
    this.#expected.delete(token);
    if (this.#expected.size === 0) this.#unclaimed.clear();
  }

  /** The log does not explain what happened to a job; it may still be about to. */
  hurry(): void {
    this.#urgentMs = Math.min(this.#urgentMs, steadyNow() + this.#schedule.everyMs);
    this.#wake();
  }

  forget(job: string): void {
    this.#jobs.delete(job);
  }

  hearLog(news: LogNews): void {
    if ("areEventsLost" in news) {
      this.#unread = "";
      this.hurry();
      return;
    }
    const { events, rest, utcOffsetSeconds } = parseEvents(this.#unread + news.events, this.#utcOffsetSeconds);
    this.#unread = rest;
    this.#utcOffsetSeconds = utcOffsetSeconds;
    for (const event of events) {
      this.#keepUnclaimed(event);
      this.#handlers.onLogged(event);
    }
    this.#observe(events);
    this.#noteLife();
  }

  #keepUnclaimed(event: PoolEvent): void {
    const cluster = clusterOf(event.job);
    const mayBeExpected = [...this.#expected.values()].some((known) => known === null || known === cluster);
    if (!mayBeExpected || this.#jobs.has(event.job)) return;
    const kept = this.#unclaimed.get(cluster);
    if (kept === undefined) this.#unclaimed.set(cluster, [event]);
    else kept.push(event);
  }

  /** Goes on until the signal. Where there is nothing to watch, nothing is asked. */
  async run(handlers: PoolWatchHandlers, signal: AbortSignal): Promise<void> {
    this.#handlers = handlers;
    while (!signal.aborted) {
      const askMs = this.#jobs.size === 0 ? Number.POSITIVE_INFINITY : Math.min(this.#silentMs, this.#urgentMs);
      const restMs = Math.min(askMs, this.#settleMs) - steadyNow();
      if (restMs > 0) await this.#rest(restMs, signal);
      else if (this.#settleMs <= steadyNow()) this.#observe([]);
      else await this.#poll(signal);
    }
  }

  #observe(heard: readonly PoolEvent[]): void {
    const { jobs, events, againAtMs } = observeEvents(this.#jobs, heard, steadyNow());
    this.#jobs = new Map(jobs);
    this.#settleMs = againAtMs ?? Number.POSITIVE_INFINITY;
    for (const event of events) this.#handlers.onEvent(event);
    this.#wake();
  }

  #noteLife(): void {
    this.#silentMs = steadyNow() + this.#schedule.atMostMs;
  }

  async #rest(restMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const isOver = AbortSignal.any([signal, woken.signal]);
    await delay(Math.min(restMs, LONG_MS), undefined, { signal: isOver }).catch(() => undefined);
  }

  async #poll(signal: AbortSignal): Promise<void> {
    this.#urgentMs = Number.POSITIVE_INFINITY;
    const queue = await this.#ask("condor_q", [...this.#jobs.keys()], signal);
    const seen = observeRows(this.#jobs, { nowMs: steadyNow(), queue, history: null });
    this.#take(seen.jobs, seen.events);
    const history = seen.missed.length === 0 ? null : await this.#ask("condor_history", seen.missed, signal);
    const judged = history === null ? seen : observeRows(this.#jobs, { nowMs: steadyNow(), queue, history });
    if (judged !== seen) this.#take(judged.jobs, judged.events);
    this.#noteLife();
    if (judged.missed.length > 0 || queue === null) this.hurry();
  }

  /** Jobs that were forgotten or added while a command ran stay so. */
  #take(observed: WatchedJobs, events: readonly WatchEvent[]): void {
    const known = this.#jobs;
    const ended = new Set(events.filter(({ type }) => type === "ended").map(({ job }) => job));
    this.#jobs = new Map(
      [...known].filter(([job]) => !ended.has(job)).map(([job, was]) => [job, observed.get(job) ?? was]),
    );
    for (const event of events) if (known.has(event.job)) this.#handlers.onEvent(event);
  }

  /** Null where the command failed: it then says nothing. */
  async #ask(
    command: "condor_q" | "condor_history",
    jobs: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly JobRow[] | null> {
    try {
      return parseRows(await this.#command(questionAbout(command, jobs), signal));
    } catch {
      return null;
    }
  }
}

/** Whole clusters are named, so that a command line stays short. The history is read backwards until all are found. */
export function questionAbout(
  command: "condor_q" | "condor_history",
  jobs: readonly string[],
): readonly [string, ...string[]] {
  const clusters = new Set(jobs.map(clusterOf));
  return [command, ...clusters, "-json", "-attributes", ROW_ATTRIBUTES.join(",")];
}

function clusterOf(job: string): string {
  return job.split(".")[0] as string;
}
