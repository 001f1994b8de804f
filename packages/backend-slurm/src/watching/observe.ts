import { endFromAccounting, endFromQueue, type JobEnd } from "../ending/job-end.ts";
import { showJobId } from "../parsing/job-id.ts";
import { FINAL_STATES, type JobState } from "../parsing/job-state.ts";
import type { AccountingRow } from "../parsing/parse-sacct.ts";
import type { QueueRow } from "../parsing/parse-squeue.ts";

/** What is known of a job that has not ended: `submitted` is one that the queue has not shown yet. */
export type Known =
  | { readonly phase: "submitted" }
  | { readonly phase: "waiting"; readonly reason: string }
  | { readonly phase: "running"; readonly nodes: string };

export interface WatchedJob {
  readonly known: Known;
  /** Since when the queue has not listed it as alive: it may have ended. */
  readonly doubtedSinceMs: number | null;
  /** Its attempts have their records, so that of a job that has completed nothing more is to be known. */
  readonly isSettled?: boolean;
}

/** By the id of the job, as `squeue` shows it: `12`, `31_5`. */
export type WatchedJobs = ReadonlyMap<string, WatchedJob>;

export const NEWLY_SUBMITTED: WatchedJob = { known: { phase: "submitted" }, doubtedSinceMs: null };

/** What was heard. Null is a command that failed, or was not run: it says nothing. */
export interface Heard {
  readonly nowMs: number;
  readonly queue: readonly QueueRow[] | null;
  readonly accounting: readonly AccountingRow[] | null;
}

export type WatchEvent =
  | { readonly type: "waiting"; readonly job: string; readonly reason: string }
  | { readonly type: "running"; readonly job: string; readonly nodes: string }
  | { readonly type: "ended"; readonly job: string; readonly end: JobEnd }
  /** Neither the queue nor accounting knows it, and both were asked for long enough. */
  | { readonly type: "vanished"; readonly job: string };

export interface Observed {
  readonly jobs: WatchedJobs;
  readonly events: readonly WatchEvent[];
  /** Jobs that accounting has to be asked about. */
  readonly doubted: readonly string[];
}

/** Accounting lags by seconds, and is wrong meanwhile. */
const ACCOUNTING_LAG_MS = 10_000;
const VANISHED_AFTER_MS = 20_000;

/**
 * What follows from what was heard, in the order of truth: accounting goes before the queue where it tells of an end,
 * and what is absent is unknown. (The record goes before both: a job whose attempts have theirs is watched no more.)
 */
export function observe(jobs: WatchedJobs, heard: Heard): Observed {
  const queue = index(heard.queue ?? []);
  const accounting = index(heard.accounting ?? []);
  const left = new Map<string, WatchedJob>();
  const events: WatchEvent[] = [];
  const doubted: string[] = [];
  for (const [job, before] of jobs) {
    const { isSettled = false } = before;
    const row = queue.get(job);
    const account = accounting.get(job);
    const isAlive = row !== undefined && !isOver(row) && row.state !== "changing";
    if (isAlive) {
      const known = knownFrom(row, before.known);
      left.set(job, { known, doubtedSinceMs: null, isSettled });
      const event = changeOf(job, before.known, known);
      if (event !== null) events.push(event);
      continue;
    }
    if (account !== undefined && isOver(account)) {
      events.push({ type: "ended", job, end: endFromAccounting(account) });
      continue;
    }
    const isQueueSilent = heard.queue === null || row?.state === "changing";
    const doubtedSinceMs = before.doubtedSinceMs ?? (isQueueSilent ? null : heard.nowMs);
    const doubtedForMs = doubtedSinceMs === null ? 0 : heard.nowMs - doubtedSinceMs;
    const isPlain = isSettled && row?.state === "completed";
    if (row !== undefined && isOver(row) && (isPlain || doubtedForMs >= ACCOUNTING_LAG_MS)) {
      events.push({ type: "ended", job, end: endFromQueue(row) });
    } else if (isAbsent(row, heard.queue) && isAbsent(account, heard.accounting) && doubtedForMs >= VANISHED_AFTER_MS) {
      events.push({ type: "vanished", job });
    } else {
      left.set(job, { known: before.known, doubtedSinceMs, isSettled });
      if (doubtedSinceMs !== null) doubted.push(job);
    }
  }
  return { jobs: left, events, doubted };
}

/** Who was not asked, or did not answer, misses nothing. */
function isAbsent(row: Listed | undefined, rows: readonly Listed[] | null): boolean {
  return rows !== null && row === undefined;
}

type Listed = { readonly state: JobState | null } & (QueueRow | AccountingRow);

function isOver<Row extends Listed>(row: Row): row is Row & { readonly state: JobState } {
  return row.state !== null && FINAL_STATES.has(row.state);
}

/** The last row that speaks of a job; one that speaks of it alone goes before one that speaks of a range. */
function index<Row extends Listed>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const byJob = new Map<string, Row>();
  for (const row of rows) {
    for (const id of row.jobs) {
      const job = showJobId(id);
      const other = byJob.get(job);
      if (other === undefined || row.jobs.length === 1 || other.jobs.length > 1) byJob.set(job, row);
    }
  }
  return byJob;
}

/** A state whose word is not known changes nothing. */
function knownFrom(row: QueueRow, before: Known): Known {
  if (row.state === "waiting") return { phase: "waiting", reason: row.reason };
  return row.state === "running" ? { phase: "running", nodes: row.nodes } : before;
}

function changeOf(job: string, before: Known, known: Known): WatchEvent | null {
  if (known.phase === "waiting") {
    const isSame = before.phase === "waiting" && before.reason === known.reason;
    return isSame ? null : { type: "waiting", job, reason: known.reason };
  }
  if (known.phase === "running" && before.phase !== "running") return { type: "running", job, nodes: known.nodes };
  return null;
}
