import type { JobPhase } from "./batch-system.ts";
import type { Element } from "./element.ts";

const MOST_NAMES = 3;
const JUST_SUBMITTED = "just submitted";

/** What people are shown of a run's jobs. */
export interface QueueState {
  /** Jobs that the scheduler has not taken yet. */
  readonly unsubmitted: number;
  /** By the scheduler's own reason; `just submitted` where it has not said one yet. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Those that somebody has to release, by reason. They are not among the waiting ones. */
  readonly held: ReadonlyMap<string, number>;
  /** What the scheduler calls the first of them. */
  readonly heldJobs: readonly string[];
  readonly running: number;
}

/**
 * Markers of started attempts come within a second, the queue's own word every minute: who has a marker runs, unless the
 * scheduler knows that it had begun and left.
 */
export function queueState(
  elements: Iterable<Element>,
  phaseOf: (job: string) => JobPhase | undefined,
  started: ReadonlySet<string>,
): QueueState {
  const waiting = new Map<string, number>();
  const held = new Map<string, number>();
  const heldJobs: string[] = [];
  let [unsubmitted, running] = [0, 0];
  for (const { taken, unfinished } of elements) {
    const known = taken === null ? undefined : phaseOf(taken.job);
    const hasLeft = known?.phase === "waiting" && known.hasLeft === true;
    const hasMarker = !hasLeft && [...unfinished].some((attempt) => started.has(attempt));
    if (known?.phase === "running" || hasMarker) running += 1;
    else if (taken === null) unsubmitted += 1;
    else {
      const isHeld = known?.phase === "waiting" && known.isHeld;
      const reason = known?.phase === "waiting" ? known.reason : JUST_SUBMITTED;
      const counts = isHeld ? held : waiting;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      if (isHeld && heldJobs.length < MOST_NAMES) heldJobs.push(taken.job);
    }
  }
  return { unsubmitted, waiting, held, heldJobs, running };
}
