import { classifyReason } from "../parsing/pending-reason.ts";
import type { WatchedJobs } from "../watching/observe.ts";
import { type Element, jobOf } from "./element.ts";

/** What people are shown of a run's jobs. */
export interface QueueState {
  /** Jobs that SLURM has not taken yet. */
  readonly unsubmitted: number;
  /** By SLURM's own reason; `None` where it has not said one yet. Held ones are among them. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Those that somebody has to release. */
  readonly held: number;
  readonly running: number;
}

/** Markers of started attempts come within a second, the queue's own word every minute: who has a marker runs. */
export function queueState(elements: Iterable<Element>, jobs: WatchedJobs, started: ReadonlySet<string>): QueueState {
  const waiting = new Map<string, number>();
  let [unsubmitted, held, running] = [0, 0, 0];
  for (const element of elements) {
    const job = jobOf(element);
    const known = job === null ? undefined : jobs.get(job)?.known;
    if (known?.phase === "running" || [...element.unfinished].some((attempt) => started.has(attempt))) running += 1;
    else if (job === null) unsubmitted += 1;
    else {
      const reason = known?.phase === "waiting" ? known.reason : "None";
      waiting.set(reason, (waiting.get(reason) ?? 0) + 1);
      if (classifyReason(reason) === "held") held += 1;
    }
  }
  return { unsubmitted, waiting, held, running };
}
