import type { Json } from "@wf/protocol";
import type { OutputSummary, RunEnd, RunSummary } from "@wf/run";
import { formatBytes } from "../format/bytes.ts";
import type { Colours } from "../format/colour.ts";
import { counted, formatCount } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { printable } from "../format/printable.ts";
import { pairs } from "../format/table.ts";
import { statusPaint } from "../looking/run-state.ts";
import { type FailureReport, failureLines } from "./failure-report.ts";
import type { RunProgress } from "./run-progress.ts";

export interface RunEnding {
  readonly summary: RunSummary;
  readonly progress: RunProgress;
  readonly failures: FailureReport;
  /** Why the run itself broke, if no task did. */
  readonly broken: string | undefined;
}

/** The last words about a run: root causes, then how it ended, what came out of it, and what to type next. */
export function endingLines({ summary, progress, failures, broken }: RunEnding, colours: Colours): string[] {
  const causes = broken === undefined ? [] : [colours.bold(colours.red(`✗ ${broken}`))];
  const reported = [...causes, ...failureLines(failures, colours)];
  const outputs = Object.entries(summary.outputs);
  const metrics = Object.entries(summary.metrics);
  return [
    ...(reported.length > 0 ? [...reported, ""] : []),
    `${statusWord(summary.status, colours)}  ${colours.bold(summary.run)}  ${formatDuration(summary.seconds)}  ${tally(progress, summary.status)}`,
    ...(outputs.length > 0
      ? pairs(
          outputs.map(([name, output]) => [name, outputText(output, colours)]),
          colours.gray,
          "  ",
        )
      : []),
    ...(metrics.length > 0
      ? pairs(
          metrics.map(([name, value]) => [name, jsonText(value)]),
          colours.gray,
          "  ",
        )
      : []),
    ...pairs(
      summary.models.map(({ name, version, isNew }) => [
        `${name}@${version}`,
        isNew ? "a new version of the model" : colours.gray("the model had this content before"),
      ]),
      colours.gray,
      "  ",
    ),
    ...nextLines(summary.run, summary.status, colours),
  ];
}

function statusWord(status: RunEnd, colours: Colours): string {
  const sign = { succeeded: "✓", failed: "✗", cancelled: "–", stopped: "–" }[status];
  return colours.bold(statusPaint(status, colours)(`${sign} ${status}`));
}

/** A run that broke off before its first task ended has tasks all the same. */
const NOTHING_ENDED: Readonly<Record<RunEnd, string>> = {
  succeeded: "no tasks",
  failed: "no task has ended",
  cancelled: "no task has ended",
  stopped: "no task has ended",
};

function tally(progress: RunProgress, status: RunEnd): string {
  const parts = [
    [progress.count("done") - progress.replayed, "ran"],
    [progress.replayed, "had ended before"],
    [progress.count("cached"), "cached"],
    [progress.count("failed"), "failed"],
    [progress.count("skipped") + progress.count("cancelled"), "not run"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return said.length === 0 ? NOTHING_ENDED[status] : `${counted(progress.ended, "task")}: ${said.join(", ")}`;
}

/** Where an output lies and how large it is; a value is shown itself, unless it is long and has a file. */
export function outputText(output: OutputSummary, colours: Colours): string {
  if (output.kind === "absent") return colours.gray("absent");
  const size = [
    ...(output.rows === undefined ? [] : [counted(output.rows, "row")]),
    ...(output.files === undefined ? [] : [counted(output.files, "file")]),
    ...(output.sizeBytes === undefined ? [] : [formatBytes(output.sizeBytes)]),
  ].join(", ");
  if (output.path === undefined) return output.value === undefined ? size : jsonText(output.value);
  const path = printable(output.path);
  const value = output.value === undefined ? "" : jsonText(output.value);
  if (value !== "" && value.length <= LONGEST_BESIDE_PATH) return `${value}  ${colours.gray(path)}`;
  return `${path}${size === "" ? "" : `  ${colours.gray(size)}`}`;
}

const LONGEST_JSON = 100;
const LONGEST_BESIDE_PATH = 80;

export function jsonText(value: Json): string {
  if (typeof value === "number") return numberText(value);
  const text = typeof value === "string" ? printable(value) : JSON.stringify(value);
  return text.length > LONGEST_JSON ? `${text.slice(0, LONGEST_JSON - 1)}…` : text;
}

/** Enough digits to compare two runs, and none that a measurement never has. */
export function numberText(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}

/** What to type after a run has ended. */
export function nextLines(run: string, status: RunEnd | "interrupted", colours: Colours): string[] {
  const next = {
    succeeded: [`wf show ${run}`],
    failed: ["after a fix, run it again: what succeeded is reused", `wf resume ${run}  tries the same again`],
    cancelled: [`wf resume ${run}`],
    stopped: [`wf resume ${run}`],
    interrupted: [`wf resume ${run}`],
  }[status];
  return next.map((text, index) => `  ${colours.gray(index === 0 ? "next" : "    ")}  ${text}`);
}
