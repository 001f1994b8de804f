import { join } from "node:path";
import { shortPath } from "@wf/run";
import { formatBytes } from "../format/bytes.ts";
import { counted } from "../format/count.ts";
import { printable } from "../format/printable.ts";
import { pairs, table } from "../format/table.ts";
import type { Screen } from "../screen.ts";
import { jsonText, numberText } from "../view/run-ending.ts";
import type { RunReports, ShownPicture, TaskReports } from "./task-reports.ts";

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
export function pictureLinesOfRun({ pictures }: RunReports, screen: Screen): string[] {
  const byAttempt = grouped(pictures, ({ path }) => join(path, ".."));
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

const SUMMARY_COLUMNS = [
  { title: "", minWidth: 8 },
  { title: "", minWidth: 8 },
  { title: "", minWidth: 20 },
] as const;

export function summaryLinesOfRun({ summaries }: RunReports, screen: Screen): string[] {
  const rows = summaries
    .slice(0, MOST_TASKS)
    .flatMap(({ task, facts }) =>
      Object.entries(facts).map(([name, value]) => [task, printable(name), jsonText(value as never)]),
    );
  const more = summaries.length - MOST_TASKS;
  return [
    ...table(SUMMARY_COLUMNS, rows, { width: screen.columns, indent: "  " }),
    ...(more > 0 ? [screen.colours.gray(`  … and those of ${counted(more, "more task")}`)] : []),
  ];
}

/** A few of them; each task has its own. */
export function warningLinesOfRun({ warnings }: RunReports, run: string, screen: Screen): string[] {
  const lines = warnings.slice(0, MOST_TASKS).map(({ task, message }) => `${task}: ${message}`);
  const more = warnings.length - lines.length;
  return [
    ...warningLines(lines, screen),
    ...(more > 0 ? [screen.colours.gray(`  … and ${counted(more, "more warning")}: wf show ${run} TASK`)] : []),
  ];
}
