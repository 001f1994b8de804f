import type { JobSpec } from "@wf/backend";
import type { JobFailure } from "../ending/failure-of-end.ts";
import type { JobEnd } from "../ending/job-end.ts";
import { formatIndices } from "../parsing/array-indices.ts";
import { showJobId } from "../parsing/job-id.ts";
import type { ElementToSettle, TableEntry } from "./login-node.ts";

/** A job of the engine on its way through SLURM. */
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
  /** What SLURM calls the submission, once it has taken it. */
  id: string | null;
}

const USUAL_GRACE_SECONDS = 5;

/** One that SLURM is never asked for. */
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
    id: null,
  };
}

/** One that an earlier engine had submitted. */
export function adoptedElement(
  entry: TableEntry,
  place: Pick<Element, "token" | "index" | "siblings" | "id">,
): Element {
  return { ...place, entry, graceSeconds: USUAL_GRACE_SECONDS, unfinished: new Set() };
}

/** `end`: its job is over, even if it had started. */
export function toSettle(element: Element, failure: JobFailure, end: JobEnd | "over" | null): ElementToSettle {
  const { token, index, entry, unfinished } = element;
  const known = end === "over" ? null : end;
  return {
    token,
    index,
    isDead: end !== null,
    job: entry.job,
    tasks: entry.tasks.filter(({ attempt }) => unfinished.has(attempt)),
    failure,
    host: known?.nodes || null,
    startedAt: known?.startedAt ?? null,
    endedAt: known?.endedAt ?? null,
  };
}

/** What squeue calls it; null while SLURM has not taken it. */
export function jobOf({ id, index, siblings }: Element): string | null {
  return id === null ? null : showJobId({ id, index: siblings > 1 ? index : null });
}

/** The fewest words for scancel: a whole array by its id alone. */
export function namesForScancel(elements: readonly Element[]): readonly string[] {
  const byId = new Map<string, Element[]>();
  for (const element of elements) {
    if (element.id === null) continue;
    const others = byId.get(element.id);
    if (others === undefined) byId.set(element.id, [element]);
    else others.push(element);
  }
  return [...byId].map(([id, some]) => {
    const isWhole = some.length === (some[0] as Element).siblings;
    return isWhole ? id : `${id}_[${formatIndices(some.map(({ index }) => index))}]`;
  });
}
