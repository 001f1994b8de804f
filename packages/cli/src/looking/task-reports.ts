import { pathIn } from "@wf/data";
import { AttemptFiles } from "@wf/run";
import type { Store, StoredPicture, TaskSummary } from "@wf/store";
import { whereItRan } from "./metric-series.ts";

export interface ShownPicture {
  readonly task: string;
  readonly attempt: string;
  readonly name: string;
  readonly step: number | null;
  /** Where it can be opened. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly hash: string;
}

/** What a task said of itself beside its numbers; of a cached task, where it ran. */
export interface TaskReports {
  readonly pictures: readonly ShownPicture[];
  readonly summary: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
}

const NOTHING: TaskReports = { pictures: [], summary: {}, warnings: [] };

/** Of its last attempt that said any of it. */
export function reportsOfTask(store: Store, run: string, task: TaskSummary): TaskReports {
  const place = whereItRan(store, run, task);
  if (place === undefined) return NOTHING;
  const filter = { task: place.task };
  return {
    pictures: lastAttempt(store.pictures(place.run, filter)).map((picture) => shown(store, place.run, picture)),
    summary: store.summaries(place.run, filter).at(-1)?.facts ?? {},
    warnings: lastAttempt(store.warnings(place.run, filter)).map(({ message }) => message),
  };
}

export interface RunReports {
  readonly pictures: readonly ShownPicture[];
  readonly summaries: readonly { readonly task: string; readonly facts: TaskReports["summary"] }[];
  readonly warnings: readonly { readonly task: string; readonly message: string }[];
}

/** Of stages with more cached tasks than these, only what ran in this run is told. */
const MOST_CACHED = 4;

/** What its own attempts said, and what cached tasks said when they ran. */
export function reportsOfRun(store: Store, run: string): RunReports {
  const cached = store
    .stages(run)
    .filter(({ counts }) => counts.cached > 0 && counts.cached <= MOST_CACHED)
    .flatMap(({ stage }) => store.tasks(run, { stage, states: ["cached"] }).tasks)
    .map((task) => ({ task: task.task, ...reportsOfTask(store, run, task) }));
  return {
    pictures: [
      ...store.pictures(run).map((picture) => shown(store, run, picture)),
      ...cached.flatMap(({ task, pictures }) => pictures.map((picture) => ({ ...picture, task }))),
    ],
    summaries: [
      ...store.summaries(run).map(({ task, facts }) => ({ task, facts })),
      ...cached
        .filter(({ summary }) => Object.keys(summary).length > 0)
        .map(({ task, summary: facts }) => ({ task, facts })),
    ],
    warnings: [
      ...store.warnings(run).map(({ task, message }) => ({ task, message })),
      ...cached.flatMap(({ task, warnings }) => warnings.map((message) => ({ task, message }))),
    ],
  };
}

function shown(store: Store, run: string, { file, path: _, ...picture }: StoredPicture): ShownPicture {
  const path = pathIn(new AttemptFiles(store.folder, run, picture.attempt).pictures, file.name);
  return { ...picture, path, sizeBytes: file.size, hash: file.hash };
}

function lastAttempt<T extends { readonly attempt: string }>(all: readonly T[]): T[] {
  const last = all.at(-1)?.attempt;
  return all.filter(({ attempt }) => attempt === last);
}
