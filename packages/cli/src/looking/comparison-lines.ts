import type { Json } from "@wf/protocol";
import { formatBytes } from "../format/bytes.ts";
import { counted, formatCount } from "../format/count.ts";
import { formatAge, formatDuration } from "../format/duration.ts";
import { printable } from "../format/printable.ts";
import { type Cell, type Column, table } from "../format/table.ts";
import { textWidth, truncate } from "../format/text-width.ts";
import { wrapped } from "../format/wrap.ts";
import type { Screen } from "../screen.ts";
import { jsonText } from "../view/run-ending.ts";
import type { ComparedRow, ComparedSection, ComparedStage, Comparison } from "./compared-runs.ts";
import { changeText } from "./reason-text.ts";

const LONGEST_VALUE = 24;
const LABEL_WIDTH = 16;
const GAP = 2;

/** Side by side; where there are more runs than fit, block by block, each with the first run. */
export function comparisonLines(comparison: Comparison, screen: Screen): string[] {
  const labels = labelsOf(comparison, screen.columns);
  return [
    ...headLines(comparison, screen),
    ...blocksOf(comparison, labels, screen.columns).flatMap((places) => [
      "",
      ...blockLines(comparison, labels, places, screen),
    ]),
    ...comparison.tasks.flatMap(({ run, stages }) => [
      "",
      ...taskLines(run, comparison.runs[0] as string, stages, screen),
    ]),
  ];
}

function headLines({ runs, workflows }: Comparison, { colours }: Screen): string[] {
  const [only] = workflows;
  if (workflows.length === 1) return [`${colours.bold(only as string)}  ${counted(runs.length, "run")}`];
  return [
    `${colours.bold(workflows.join(", "))}  ${counted(runs.length, "run")}`,
    colours.yellow("  different workflows: what has the same name is put side by side"),
  ];
}

/** Whole names where they fit, else without the name of the workflow that all of them have. */
function labelsOf({ runs, workflows }: Comparison, columns: number | undefined): string[] {
  const whole = runs.reduce((sum, run) => sum + Math.max(run.length, LONGEST_VALUE / 2) + GAP, LABEL_WIDTH);
  if (columns === undefined || whole <= columns || workflows.length > 1) return [...runs];
  return runs.map((run) => run.slice((workflows[0] as string).length + 1));
}

/** The places of the runs in each block; every block begins with the first run. */
function blocksOf({ runs }: Comparison, labels: readonly string[], columns: number | undefined): number[][] {
  const all = runs.map((_, place) => place);
  const width = Math.max(...labels.map(textWidth), LONGEST_VALUE / 2) + GAP;
  const fitting = columns === undefined ? all.length : Math.max(2, Math.floor((columns - LABEL_WIDTH) / width));
  if (fitting >= all.length) return [all];
  const others = all.slice(1);
  const blocks: number[][] = [];
  for (let at = 0; at < others.length; at += fitting - 1) blocks.push([0, ...others.slice(at, at + fitting - 1)]);
  return blocks;
}

interface Line {
  readonly cells: readonly Cell[];
  /** What stands above it. */
  readonly before: readonly string[];
}

/** One table for all sections, so that their columns stand in line. */
function blockLines(
  { sections, runs, stage }: Comparison,
  labels: readonly string[],
  places: readonly number[],
  screen: Screen,
): string[] {
  const { colours } = screen;
  const isPair = runs.length === 2;
  const columns: Column[] = [
    { title: "" },
    { title: "", minWidth: 10 },
    ...places.map((place): Column => ({ title: labels[place] as string, align: "right", minWidth: 8 })),
    { title: isPair ? "change" : "", align: "right" },
  ];
  const lines: Line[] = [];
  let pending: string[] = [];
  for (const section of sections) {
    const { shown, same } = split(section);
    const title = section.title === "metrics" && stage !== null ? `metrics of ${stage}` : section.title;
    if (section.title !== "run") pending.push("", colours.gray(title));
    for (const row of shown) {
      lines.push({ cells: rowCells(row, places, isPair, screen), before: pending });
      pending = [];
    }
    if (same.length > 0) pending.push(...sameLines(same, screen));
    else if (shown.length === 0 && section.title !== "run") pending.push(...emptyLines(section, stage, screen));
  }
  const [titles, ...body] = table(
    columns,
    lines.map(({ cells }) => cells),
    { width: screen.columns, titlePaint: colours.bold },
  );
  return [titles ?? "", ...body.flatMap((line, index) => [...(lines[index]?.before ?? []), line]), ...pending];
}

/** Metrics and costs are all worth a line; of what went in, only what differs. */
function split({ title, rows }: ComparedSection): { shown: ComparedRow[]; same: ComparedRow[] } {
  if (title === "metrics" || title === "costs") return { shown: rows.filter(isTold), same: [] };
  if (title === "run") return { shown: rows.filter(({ name, differs }) => differs || name === "status"), same: [] };
  return { shown: rows.filter(({ differs }) => differs), same: rows.filter(({ differs }) => !differs) };
}

function isTold({ name, values }: ComparedRow): boolean {
  return name !== "tasks failed" || values.some((value) => value !== 0);
}

function sameLines(rows: readonly ComparedRow[], { colours, columns }: Screen): string[] {
  const text = printable(
    `the same: ${rows.map(({ name, values }) => `${name}=${short(values[0] ?? null)}`).join("  ")}`,
  );
  return wrapped(text, (columns ?? 100) - 3).map((line) => `   ${colours.gray(line)}`);
}

function emptyLines({ title }: ComparedSection, stage: string | null, { colours }: Screen): string[] {
  const hint = stage === null ? "  --stage NAME compares those of a stage" : "";
  return [`   ${colours.gray(title === "metrics" ? `none${hint}` : "none")}`];
}

function rowCells(row: ComparedRow, places: readonly number[], isPair: boolean, { colours }: Screen): Cell[] {
  const { name, values, unit, differs } = row;
  const isMarked = differs && unit !== "time";
  return [
    isMarked ? { text: "≠", paint: colours.yellow } : "",
    { text: name, paint: isMarked ? undefined : colours.gray },
    ...places.map((place): Cell => {
      const isOther = JSON.stringify(values[place]) !== JSON.stringify(values[0]);
      return { text: valueText(values[place] ?? null, unit), paint: isMarked && isOther ? colours.yellow : undefined };
    }),
    isPair && unit !== "time" ? { text: changeOf(values), paint: colours.gray } : "",
  ];
}

function valueText(value: Json, unit: ComparedRow["unit"]): string {
  if (value === null) return "-";
  if (typeof value !== "number" || unit === "plain") return short(value);
  switch (unit) {
    case "seconds":
      return formatDuration(value);
    case "bytes":
      return formatBytes(value);
    case "count":
      return formatCount(value);
    case "time":
      return formatAge(Date.now() / 1000 - value);
  }
}

function short(value: Json): string {
  return truncate(jsonText(value), LONGEST_VALUE);
}

/** By how much the second is more than the first; a factor where a percentage would be no help. */
function changeOf([first, second]: readonly Json[]): string {
  if (typeof first !== "number" || typeof second !== "number" || first === 0 || first === second) return "";
  const percent = (100 * (second - first)) / Math.abs(first);
  if (Math.abs(percent) < MOST_PERCENT)
    return `${percent > 0 ? "+" : ""}${percent.toFixed(Math.abs(percent) < 10 ? 2 : 0)} %`;
  return second / first > 0 ? `×${Number((second / first).toPrecision(3))}` : "";
}

const MOST_PERCENT = 1000;

const STAGE_COLUMNS: readonly Column[] = [
  { title: "stage", minWidth: 8 },
  { title: "same", align: "right" },
  { title: "differ", align: "right" },
  { title: "gone", align: "right" },
  { title: "new", align: "right" },
  { title: "why", minWidth: 16 },
];

function taskLines(run: string, first: string, stages: readonly ComparedStage[], screen: Screen): string[] {
  const { colours } = screen;
  const title = colours.gray(`tasks of ${run}, by their keys, against ${first}`);
  const isSame = ({ differ, onlyFirst, onlySecond, keyless }: ComparedStage) =>
    differ + onlyFirst + onlySecond + keyless === 0;
  const same = stages.filter(isSame);
  const rows = stages
    .filter((stage) => !isSame(stage))
    .map((stage): Cell[] => {
      const counts = [stage.same, stage.differ, stage.onlyFirst, stage.onlySecond];
      return [stage.stage, ...counts.map((count) => (count === 0 ? "" : formatCount(count))), whyText(stage)];
    });
  const names = same.map(({ stage, same: tasks }) => (tasks === 1 ? stage : `${stage} (${formatCount(tasks)})`));
  const rest =
    names.length === 0
      ? []
      : wrapped(`the same: ${names.join(", ")}`, (screen.columns ?? 100) - 2).map((line) => `  ${colours.gray(line)}`);
  const body =
    rows.length === 0
      ? []
      : table(STAGE_COLUMNS, rows, { width: screen.columns, titlePaint: colours.gray, indent: "  " });
  const example = stages.find(({ example: task }) => task !== null)?.example;
  const next = example == null ? [] : [`  ${colours.gray("next")}  wf why ${run} ${example}`];
  return [title, ...body, ...rest, ...next];
}

function whyText({ changes, keyless, differ }: ComparedStage): string {
  if (differ === 0) return keyless > 0 ? `${counted(keyless, "task")} without a key` : "";
  return changes.map((change) => changeText(change)).join("; ");
}
