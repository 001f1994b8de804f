import type { How } from "../ending/job-end.ts";
import type { JobRow } from "../parsing/parse-rows.ts";
import type { Hold } from "../parsing/pool-event.ts";
import {
  type Change,
  endBeganAt,
  slotOf,
  tellChange,
  type WatchEvent,
  type WatchedJob,
  type WatchedJobs,
} from "./watched-job.ts";

/** What was heard. Null is a command that failed, or was not run: it says nothing. */
export interface HeardRows {
  readonly nowMs: number;
  readonly queue: readonly JobRow[] | null;
  readonly history: readonly JobRow[] | null;
}

export interface ObservedRows {
  readonly jobs: WatchedJobs;
  readonly events: readonly WatchEvent[];
  /** Jobs that the history has to be asked about: the queue does not list them any more. */
  readonly missed: readonly string[];
}

/** A job that leaves the queue is in the history moments later. */
const VANISHED_AFTER_MS = 20_000;
/** HTCondor's CONDOR_HOLD_CODE. */
const SUBMITTED_ON_HOLD = 15;
/** Rows have whole seconds. */
const ROUNDING_SECONDS = 1;

/**
 * What follows from the queue and the history, where the event log is silent, or was lost. The log goes before both:
 * a row that tells of nothing newer than it changes nothing. What is absent is unknown until both were asked for long.
 */
export function observeRows(jobs: WatchedJobs, heard: HeardRows): ObservedRows {
  const queue = byJob(heard.queue);
  const history = byJob(heard.history);
  const left = new Map<string, WatchedJob>();
  const events: WatchEvent[] = [];
  const missed: string[] = [];
  for (const [name, before] of jobs) {
    const change = afterRows(before, queue.get(name), history.get(name), heard);
    if (change.job === null) {
      events.push({ type: "ended", job: name, end: change.end });
      continue;
    }
    left.set(name, change.job);
    const told = tellChange(name, before.known, change.job);
    if (told !== null) events.push(told);
    if (change.job.missedSinceMs !== null) missed.push(name);
  }
  return { jobs: left, events, missed };
}

function byJob(rows: readonly JobRow[] | null): ReadonlyMap<string, JobRow> {
  return new Map((rows ?? []).map((row) => [row.job, row]));
}

function afterRows(
  job: WatchedJob,
  queued: JobRow | undefined,
  past: JobRow | undefined,
  { nowMs, queue, history }: HeardRows,
): Change {
  const row = queued ?? past;
  if (row !== undefined) return afterRow({ ...job, missedSinceMs: null }, row, queued === undefined);
  if (queue === null) return { job, end: null };
  const missedSinceMs = job.missedSinceMs ?? nowMs;
  const isGone = history !== null && nowMs - missedSinceMs >= VANISHED_AFTER_MS;
  if (isGone) return { job: null, end: { how: "unknown", slot: slotOf(job), startedAt: job.startedAt, endedAt: null } };
  return { job: { ...job, missedSinceMs }, end: null };
}

function afterRow(job: WatchedJob, row: JobRow, isPast: boolean): Change {
  const startedAt = job.startedAt ?? (row.starts > 0 ? row.startedAt : null);
  const since = row.since ?? 0;
  // A start follows a submission, though both may bear the same second.
  const isFirstStart = job.startedAt === null && startedAt !== null;
  const isNews = isFirstStart || since > job.latestAt + ROUNDING_SECONDS;
  const latestAt = isNews ? Math.max(since, job.latestAt) : job.latestAt;
  const become = (known: WatchedJob["known"]): Change => ({ job: { ...job, known, startedAt, latestAt }, end: null });
  const end = (how: How, endedAt = row.completedAt ?? row.since): Change => ({
    job: null,
    end: {
      ...how,
      slot: slotOf(job) ?? row.slot,
      startedAt,
      endedAt: endedAt === null ? null : endBeganAt(job, endedAt),
    },
  });
  switch (row.status) {
    case "completed":
      // Of its first execution, in which its tasks ran, only the log could tell when it ended.
      return row.starts > 1
        ? end({ how: "evicted", reason: "it was started again", isNodeLost: false }, null)
        : end({ how: "terminated", exitCode: row.exitCode, signal: row.signal });
    case "removed":
      // In the queue it is about to be removed, and goes to the history then.
      return isPast ? end({ how: "removed", reason: row.removeReason ?? "" }) : become(job.known);
    case "held":
      return row.hold !== null && (isNews || isHeldFromTheStart(job, row.hold))
        ? become({ phase: "held", hold: row.hold, slot: row.slot, at: endBeganAt(job, since) })
        : become(job.known);
    case "waiting":
      if (!isNews) return become(job.known);
      return row.starts === 0
        ? become({ phase: "waiting" })
        : // Since when it waits says nothing of when it began to leave its machine.
          end({ how: "evicted", reason: "it waits for a machine again", isNodeLost: false }, null);
    case "running":
    case "sending-output":
      return isNews && job.known.phase !== "disconnected"
        ? become({ phase: "running", slot: row.slot })
        : become(job.known);
    case "suspended":
    case "unknown":
      return become(job.known);
    default:
      row.status satisfies never;
      throw new TypeError(`no such status: ${row.status}`);
  }
}

/** The log does not say that a job was submitted on hold; it does say that it was released. */
function isHeldFromTheStart({ known, heard }: WatchedJob, { code }: Hold): boolean {
  const isUnheardOf = known.phase === "submitted" || known.phase === "waiting";
  return isUnheardOf && code === SUBMITTED_ON_HOLD && ![...heard].some((key) => key.startsWith("released@"));
}
