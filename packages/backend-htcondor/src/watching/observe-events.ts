import type { How, JobEnd } from "../ending/job-end.ts";
import type { PoolEvent } from "../parsing/pool-event.ts";
import {
  type Change,
  endBeganAt,
  type Known,
  slotOf,
  tellChange,
  type WatchEvent,
  type WatchedJob,
  type WatchedJobs,
} from "./watched-job.ts";

export interface ObservedEvents {
  readonly jobs: WatchedJobs;
  readonly events: readonly WatchEvent[];
  /** When to observe again, though nothing new was heard; null where there is no need. */
  readonly againAtMs: number | null;
}

/** A hold or a removal follows the eviction that it begins with by milliseconds. */
const LEAVING_MS = 2000;

/**
 * What follows from entries of the event log, in their order. The log may be heard again from its beginning, any number
 * of times: that leads to the same state, and to no event twice.
 */
export function observeEvents(jobs: WatchedJobs, heard: readonly PoolEvent[], nowMs: number): ObservedEvents {
  const left = new Map(jobs);
  const events: WatchEvent[] = [];
  const apply = (name: string, before: WatchedJob, change: Change) => {
    if (change.job === null) {
      left.delete(name);
      events.push({ type: "ended", job: name, end: change.end });
      return;
    }
    left.set(name, change.job);
    const told = tellChange(name, before.known, change.job);
    if (told !== null) events.push(told);
  };
  for (const event of heard) {
    const before = left.get(event.job);
    const key = `${event.type}@${event.stamp}`;
    if (before === undefined || !MATTERS.has(event.type) || before.heard.has(key)) continue;
    apply(event.job, before, afterEvent({ ...before, heard: new Set(before.heard).add(key) }, event, nowMs));
  }
  let againAtMs: number | null = null;
  for (const [name, job] of left) {
    if (job.known.phase !== "leaving") continue;
    const settlesAtMs = job.known.heardAtMs + LEAVING_MS;
    if (settlesAtMs <= nowMs) apply(name, job, { job: null, end: sentAway(job, job.known) });
    else againAtMs = Math.min(againAtMs ?? settlesAtMs, settlesAtMs);
  }
  return { jobs: left, events, againAtMs };
}

const MATTERS: ReadonlySet<PoolEvent["type"]> = new Set([
  "submitted",
  "started",
  "evicted",
  "terminated",
  "removed",
  "held",
  "released",
  "shadow-failed",
  "disconnected",
  "reconnected",
  "reconnect-failed",
]);

function afterEvent(job: WatchedJob, event: PoolEvent, nowMs: number): Change {
  const become = (known: Known, startedAt = job.startedAt): Change => ({
    job: { ...job, known, startedAt, latestAt: Math.max(job.latestAt, event.at), missedSinceMs: null },
    end: null,
  });
  const end = (how: How): Change => ({
    job: null,
    end: { ...how, slot: slotOf(job), startedAt: job.startedAt, endedAt: endBeganAt(job, event.at) },
  });
  const leave = (reason: string, isNodeLost: boolean): Change => {
    if (job.startedAt === null) return become({ phase: "waiting" });
    const before = job.known.phase === "leaving" ? job.known : null;
    return become({
      phase: "leaving",
      slot: slotOf(job),
      reason: before?.reason || reason,
      isNodeLost: isNodeLost || before?.isNodeLost === true,
      at: before?.at ?? endBeganAt(job, event.at),
      heardAtMs: before?.heardAtMs ?? nowMs,
    });
  };
  const { known } = job;
  switch (event.type) {
    case "submitted":
      return become(known.phase === "submitted" ? { phase: "waiting" } : known);
    case "started":
      if (known.phase === "leaving") return { job: null, end: sentAway(job, known) };
      // Where the process that looks after a job dies, nothing is said of the execution that it looked after.
      if (job.startedAt !== null && !isStartOfRow(job, event))
        return end({ how: "evicted", reason: "it was started again", isNodeLost: false });
      return become({ phase: "running", slot: event.slot ?? event.information?.slot ?? null }, event.at);
    case "evicted":
      return leave(event.reason ?? "", false);
    case "shadow-failed":
      return leave(event.message, false);
    case "reconnect-failed":
      return leave(event.reason, true);
    case "terminated":
      return end({ how: "terminated", exitCode: event.exitCode, signal: event.signal });
    case "removed":
      // One that had left its machine long before was not removed from it.
      if (known.phase === "leaving" && event.at - known.at > LEAVING_MS / 1000) {
        return { job: null, end: sentAway(job, known) };
      }
      return end({ how: "removed", reason: event.reason });
    case "held":
      return become({ phase: "held", hold: event.hold, slot: slotOf(job), at: endBeganAt(job, event.at) });
    case "released":
      return job.startedAt === null
        ? become({ phase: "waiting" })
        : end({ how: "evicted", reason: `it had begun before it was held; ${event.reason}`, isNodeLost: false });
    case "disconnected":
      return become({ phase: "disconnected", slot: slotOf(job), reason: event.reason, at: endBeganAt(job, event.at) });
    case "reconnected":
      return become({ phase: "running", slot: slotOf(job) });
    default:
      return become(known);
  }
}

/** The queue may have told of a start before the log does. */
function isStartOfRow({ heard }: WatchedJob, { information }: PoolEvent): boolean {
  const starts = [...heard].filter((key) => key.startsWith("started@"));
  return starts.length === 1 && (information?.starts ?? 0) === 0;
}

function sentAway(job: WatchedJob, { slot, reason, isNodeLost, at }: Known & { phase: "leaving" }): JobEnd {
  return { how: "evicted", reason, isNodeLost, slot, startedAt: job.startedAt, endedAt: at };
}
