import type { JobSpec } from "@wf/protocol";
import type { JobEnding, JobFailure, JobTraces } from "./job-ending.ts";
import type { ElementToSettle, TableEntry } from "./login-node.ts";

/** A job of the engine on its way through the scheduler. */
export interface Element {
  /** Null where it was not submitted, and will not be. */
  readonly token: string | null;
  readonly index: number;
  /** How many elements its submission has. */
  readonly siblings: number;
  readonly entry: TableEntry;
  /** Longest grace of its tasks. */
  readonly graceSeconds: number;
  readonly unfinished: Set<string>;
  /** What the scheduler calls the submission, and it; null while it has not taken it. */
  taken: { readonly id: string; readonly job: string } | null;
  /** One of its attempts ended well, so that it matters how its job ended. */
  hasSucceeded: boolean;
  /** How its job ended, once that is known. `printed`: the end of what the job wrote itself. */
  end: { readonly ending: JobEnding; readonly printed: string } | null;
  /** Its job is over; `why` it was ended is null where nobody says. */
  over: { readonly why: JobFailure | null } | null;
}

/** What the element is called where its job is meant, whether the scheduler has taken it or not. */
export function placeOf({ token, index }: Element): string {
  return `${token}/${index}`;
}

const USUAL_GRACE_SECONDS = 5;

/** One that the scheduler is never asked for. */
export function unsubmittedElement(job: JobSpec): Element {
  return elementOf(job, null, 0, 1);
}

export function elementOf(job: JobSpec, token: string | null, index: number, siblings: number): Element {
  const tasks = job.tasks.map(({ task, attempt }) => ({ task, attempt }));
  return {
    token,
    index,
    siblings,
    entry: { job: job.job, tasks },
    graceSeconds: Math.max(...job.tasks.map(({ graceSeconds }) => graceSeconds)),
    unfinished: new Set(tasks.map(({ attempt }) => attempt)),
    taken: null,
    hasSucceeded: false,
    end: null,
    over: null,
  };
}

/** One that an earlier engine had submitted. */
export function adoptedElement(
  entry: TableEntry,
  place: Pick<Element, "token" | "index" | "siblings" | "taken">,
): Element {
  return {
    ...place,
    entry,
    graceSeconds: USUAL_GRACE_SECONDS,
    unfinished: new Set(),
    hasSucceeded: false,
    end: null,
    over: null,
  };
}

/** `end`: its job is over, even if it had started. */
export function toSettle(element: Element, failure: JobFailure, end: JobTraces | null): ElementToSettle {
  const { token, index, entry, unfinished } = element;
  return {
    token,
    index,
    isDead: end !== null,
    job: entry.job,
    tasks: entry.tasks.filter(({ attempt }) => unfinished.has(attempt)),
    attempts: entry.tasks.map(({ attempt }) => attempt),
    failure,
    host: end?.nodes || null,
    startedAt: end?.startedAt ?? null,
    endedAt: end?.endedAt ?? null,
    // Of a job of several tasks, nobody says whose it was.
    peakMemoryBytes: entry.tasks.length === 1 ? (end?.peakMemoryBytes ?? null) : null,
  };
}

/** By the submission that they are of, as the scheduler calls it. Those that it has not taken are left out. */
export function bySubmission(elements: readonly Element[]): ReadonlyMap<string, readonly Element[]> {
  const byId = new Map<string, Element[]>();
  for (const element of elements) {
    if (element.taken === null) continue;
    const others = byId.get(element.taken.id);
    if (others === undefined) byId.set(element.taken.id, [element]);
    else others.push(element);
  }
  return byId;
}
