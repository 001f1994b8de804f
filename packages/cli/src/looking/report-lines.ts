import { join } from "node:path";
import type { Store, StoredPicture, TaskSummary } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import { counted } from "../format/count.ts";
import { printable } from "../format/printable.ts";
import { shortPath } from "../format/short-path.ts";
import { pairs, table } from "../format/table.ts";
import type { Screen } from "../screen.ts";
import { AttemptFiles } from "../view/attempt-files.ts";
import { jsonText, numberText } from "../view/run-ending.ts";
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

export function picturesOfRun(store: Store, run: string): ShownPicture[] {
  return store.pictures(run).map((picture) => shown(store, run, picture));
}

function shown(store: Store, run: string, { file, path: _, ...picture }: StoredPicture): ShownPicture {
  const path = join(new AttemptFiles(store.folder, run, picture.attempt).pictures, file.name);
  return { ...picture, path, sizeBytes: file.size, hash: file.hash };
}

function lastAttempt<T extends { readonly attempt: string }>(all: readonly T[]): T[] {
  const last = all.at(-1)?.attempt;
  return all.filter(({ attempt }) => attempt === last);
}

const PICTURE_COLUMNS = [
  { title: "", minWidth: 12 },
  { title: "", minWidth: 8 },
  { title: "" },
  { title: "", align: "right" },
] as const;

/** The folder once, then what is in it. */
export function pictureLines(pictures: readonly ShownPicture[], screen: Screen): string[] {
  const [first] = pictures;
  if (first === undefined) return [];
  const folder = join(first.path, "..");
  const rows = pictures.map(({ name, step, path, sizeBytes }) => [
    path.slice(folder.length + 1),
    printable(name),
    step === null ? "" : `step ${numberText(step)}`,
    formatBytes(sizeBytes),
  ]);
  return [
    `  ${screen.colours.gray(shortPath(folder))}`,
    ...table(PICTURE_COLUMNS, rows, { width: screen.columns, indent: "  " }),
  ];
}

const MOST_TASKS = 5;

/** Task by task: how many of which name, and where they lie. */
export function pictureLinesOfRun(pictures: readonly ShownPicture[], screen: Screen): string[] {
  const byAttempt = grouped(pictures, ({ attempt }) => attempt);
  const told = [...byAttempt.values()].slice(0, MOST_TASKS).flatMap((all) => {
    const [first] = all as [ShownPicture, ...ShownPicture[]];
    const names = [...grouped(all, ({ name }) => name)].map(([name, same]) => `${same.length} ${printable(name)}`);
    return [`  ${first.task}  ${names.join(", ")}`, `    ${screen.colours.gray(shortPath(join(first.path, "..")))}`];
  });
  const more = byAttempt.size - MOST_TASKS;
  return more > 0 ? [...told, screen.colours.gray(`  … and those of ${counted(more, "more task")}`)] : told;
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one)) ?? [];
    groups.set(keyOf(one), group);
    group.push(one);
  }
  return groups;
}

export function summaryLines(summary: TaskReports["summary"], screen: Screen): string[] {
  const rows = Object.entries(summary).map(([name, value]): [string, string] => [
    printable(name),
    jsonText(value as never),
  ]);
  return pairs(rows, screen.colours.gray, "  ");
}

export function warningLines(warnings: readonly string[], screen: Screen): string[] {
  return warnings.map((warning) => `  ${screen.colours.yellow(printable(warning))}`);
}

/** A few of them; each task has its own. */
export function warningLinesOfRun(store: Store, run: string, screen: Screen): string[] {
  const all = store.warnings(run);
  const lines = all.slice(0, MOST_TASKS).map(({ task, message }) => `${task}: ${message}`);
  const more = all.length - lines.length;
  return [
    ...warningLines(lines, screen),
    ...(more > 0 ? [screen.colours.gray(`  … and ${counted(more, "more warning")}: wf show ${run} TASK`)] : []),
  ];
}
