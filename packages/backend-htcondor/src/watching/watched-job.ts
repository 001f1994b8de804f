import type { JobEnd } from "../ending/job-end.ts";
import type { Hold } from "../parsing/pool-event.ts";

/** What is known of a job that has not ended: `submitted` is one of which nothing was heard yet. */
export type Known =
  | { readonly phase: "submitted" }
  | { readonly phase: "waiting" }
  | { readonly phase: "running"; readonly slot: string | null }
  /** Since `at`, the submit host does not reach its machine; it may go on running there. */
  | { readonly phase: "disconnected"; readonly slot: string | null; readonly reason: string; readonly at: number }
  /** It has left its machine. What comes next tells whether it was held, removed or sent away. */
  | {
      readonly phase: "leaving";
      readonly slot: string | null;
      readonly reason: string;
      readonly isNodeLost: boolean;
      readonly at: number;
      readonly heardAtMs: number;
    }
  /** `slot`: where it was when that happened. `at`: when it was heard of for the last time before it was ended. */
  | { readonly phase: "held"; readonly hold: Hold; readonly slot: string | null; readonly at: number };

export interface WatchedJob {
  readonly known: Known;
  /** When its execution began; null where it has not begun. One that has begun is not begun again. */
  readonly startedAt: number | null;
  /** When the latest thing happened that is known of it, in seconds since 1970. */
  readonly latestAt: number;
  /** The log may be read again from its beginning: what was heard once changes nothing. */
  readonly heard: ReadonlySet<string>;
  /** Since when neither the queue nor the history knew of it. */
  readonly missedSinceMs: number | null;
}

/** By what HTCondor calls the job: `12.0`. */
export type WatchedJobs = ReadonlyMap<string, WatchedJob>;

export const NEWLY_SUBMITTED: WatchedJob = {
  known: { phase: "submitted" },
  startedAt: null,
  latestAt: 0,
  heard: new Set(),
  missedSinceMs: null,
};

export type WatchEvent =
  | { readonly type: "waiting"; readonly job: string }
  | { readonly type: "running"; readonly job: string; readonly slot: string | null }
  | { readonly type: "disconnected"; readonly job: string; readonly reason: string }
  /** `hasStarted`: to release it would execute it a second time. */
  | {
      readonly type: "held";
      readonly job: string;
      readonly hold: Hold;
      readonly hasStarted: boolean;
      readonly slot: string | null;
      readonly startedAt: number | null;
      readonly heldAt: number;
    }
  /** Its one execution is over. One that was evicted is still in the queue. */
  | { readonly type: "ended"; readonly job: string; readonly end: JobEnd };

/** A job after something happened to it; `end` where that was the end of it. */
export type Change = { readonly job: WatchedJob; readonly end: null } | { readonly job: null; readonly end: JobEnd };

export function slotOf({ known }: WatchedJob): string | null {
  return known.phase === "submitted" || known.phase === "waiting" ? null : known.slot;
}

/**
 * When something began to end its execution, at the latest, where that is heard of at `heardAt`. A machine that is lost
 * may have killed its processes one by one long before it is given up, and what is held has left its machine long before
 * somebody removes or releases it.
 */
export function endBeganAt({ known, startedAt }: WatchedJob, heardAt: number): number {
  const hasLeft = known.phase === "disconnected" || (known.phase === "held" && startedAt !== null);
  return hasLeft ? known.at : heardAt;
}

/** What changed, as the backend has to know it. */
export function tellChange(name: string, before: Known, after: WatchedJob): WatchEvent | null {
  const { known } = after;
  switch (known.phase) {
    case "submitted":
    case "leaving":
      return null;
    case "waiting":
      return before.phase === "waiting" ? null : { type: "waiting", job: name };
    case "running":
      return before.phase === "running" ? null : { type: "running", job: name, slot: known.slot };
    case "disconnected":
      return before.phase === "disconnected" ? null : { type: "disconnected", job: name, reason: known.reason };
    case "held": {
      const { hold, slot, at: heldAt } = known;
      const { startedAt } = after;
      if (before.phase === "held" && before.hold.reason === hold.reason) return null;
      return { type: "held", job: name, hold, hasStarted: startedAt !== null, slot, startedAt, heldAt };
    }
    default:
      known satisfies never;
      throw new TypeError("no such phase");
  }
}
