import { existsSync } from "node:fs";
import type { Json, Value } from "@wf/protocol";
import type { OutputSummary } from "@wf/run";
import { outputFolder, summariseOutput } from "@wf/run";
import type { RunDetails, Store } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import type { Colours } from "../format/colour.ts";
import { counted } from "../format/count.ts";
import { formatAge } from "../format/duration.ts";
import { printable } from "../format/printable.ts";
import { pairs } from "../format/table.ts";
import { formatTime } from "../format/time.ts";
import type { Screen } from "../screen.ts";
import { failureLines } from "../view/failure-report.ts";
import { finalFrame } from "../view/live-frame.ts";
import { jsonText, nextLines, outputText } from "../view/run-ending.ts";
import { gitText } from "./git-text.ts";
import { metricLines, metricsToShow } from "./metric-lines.ts";
import { pictureLinesOfRun, summaryLinesOfRun, warningLinesOfRun } from "./report-lines.ts";
import { ownerText, takeSnapshot, timeText } from "./run-snapshot.ts";
import { isUnderWay, runState, type ShownStatus, statusPaint } from "./run-state.ts";
import { storedFailures } from "./stored-failures.ts";
import { storedProgress } from "./stored-progress.ts";
import { reportsOfRun } from "./task-reports.ts";

export function runDocument(store: Store, run: string): object {
  const details = store.run(run);
  const { status, owner } = runState(store, run, details.status);
  return {
    ...details,
    status,
    owner: owner ?? null,
    outputs: outputsOf(store, details),
    stages: store.stages(run).map(({ counts, ...stage }) => ({ ...stage, tasks: counts })),
    failures: storedFailures(store, run),
    series: metricsToShow(store, run).series.map(({ points, ...series }) => ({ ...series, points: points.length })),
    models: store.modelsOfRun(run),
    ...reportsOfRun(store, run),
  };
}

export function runLines(store: Store, run: string, screen: Screen): string[] {
  const { colours } = screen;
  const now = Date.now() / 1000;
  const details = store.run(run);
  const snapshot = takeSnapshot(store, run);
  const progress = storedProgress(store, run);
  const reports = reportsOfRun(store, run);
  if (!isUnderWay(snapshot.status)) progress.settle(snapshot.status);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", colours.gray(title), ...lines];
  const facts: [string, string][] = [
    ["workflow", `${details.workflow}  ${colours.gray(details.file)}`],
    ["site", details.site],
    ["started", startedText(details, now)],
    ["params", paramsText(details.params)],
    ["git", gitText(details.git)],
    ...(ownerText(snapshot, now) === undefined ? [] : [["owner", ownerText(snapshot, now)] as [string, string]]),
  ];
  const head = [colours.bold(run), statusPaint(snapshot.status, colours)(snapshot.status), timeText(snapshot, now)];
  const inputs = Object.entries(details.inputs).map(([name, value]): [string, string] => [
    name,
    [inputText(value), ...modelNames(store, value)].join("  "),
  ]);
  const outputs = Object.entries(outputsOf(store, details)).map(([name, output]): [string, string] => [
    name,
    outputText(output, colours) + (isGone(output) ? colours.yellow("  no longer there") : ""),
  ]);
  const failures = failureLines(storedFailures(store, run), colours);
  const error = errorText(details.error);
  return [
    head.filter((text) => text !== "").join("  "),
    ...pairs(facts, colours.gray, "  "),
    ...section("inputs", pairs(inputs, colours.gray, "  ")),
    ...section(
      "stages",
      finalFrame(progress, (screen.columns ?? 120) - 2, colours).map((line) => `  ${line}`),
    ),
    ...section("outputs", pairs(outputs, colours.gray, "  ")),
    ...section("metrics", runMetrics(details, colours.gray)),
    ...section("models", modelLines(store, run, colours)),
    ...section("metrics of tasks", metricLines(store, run, screen)),
    ...section("summaries of tasks", summaryLinesOfRun(reports, screen)),
    ...section("pictures", pictureLinesOfRun(reports, screen)),
    ...section("warnings", warningLinesOfRun(reports, run, screen)),
    ...(error === undefined ? [] : ["", colours.red(`✗ ${error}`)]),
    ...(failures.length === 0 ? [] : ["", ...failures]),
    "",
    ...nextStep(run, snapshot.status, colours),
  ];
}

function outputsOf(store: Store, details: RunDetails): Record<string, OutputSummary> {
  const named = (details.options as { outputs?: string | null } | null)?.outputs;
  const folder = named ?? outputFolder(store.folder, details.run);
  return Object.fromEntries(
    Object.entries(details.outputs ?? {}).map(([name, value]) => [name, summariseOutput(name, value, folder)]),
  );
}

function isGone({ path }: OutputSummary): boolean {
  return path !== undefined && !existsSync(path);
}

function startedText({ createdAt, startedAt }: RunDetails, now: number): string {
  const at = startedAt ?? createdAt;
  return `${formatTime(at)}  (${formatAge(now - at)})`;
}

function paramsText(params: Json): string {
  const entries = Object.entries((params ?? {}) as Record<string, Json>);
  return entries.length === 0 ? "none" : entries.map(([name, value]) => `${name}=${jsonText(value)}`).join("  ");
}

function inputText(value: Value): string {
  switch (value.kind) {
    case "file":
      return `${printable(value.name)}  ${formatBytes(value.size)}`;
    case "directory":
      return `${counted(value.files, "file")}, ${formatBytes(value.size)}`;
    case "dataset":
      return `${counted(value.rows, "row")}, ${counted(value.files, "file")}, ${formatBytes(value.size)}`;
    case "json":
      return jsonText(value.value);
    case "list":
      return counted(value.items.length, "item");
    case "absent":
      return "absent";
  }
}

/** The registered models that this content is. */
function modelNames(store: Store, value: Value): string[] {
  if (value.kind !== "file" && value.kind !== "directory") return [];
  return store.modelsWith(value).map(({ model, version }) => `${model}@${version}`);
}

function modelLines(store: Store, run: string, { gray }: Colours): string[] {
  return store.modelsOfRun(run).map(({ model, version }) => {
    const name = `${model}@${version}`;
    return `  ${name}  ${gray(`wf models ${name}`)}`;
  });
}

function runMetrics({ metrics }: RunDetails, paint: (text: string) => string): string[] {
  return pairs(
    Object.entries(metrics ?? {}).map(([name, value]): [string, string] => [name, jsonText(value)]),
    paint,
    "  ",
  );
}

function errorText(error: Json): string | undefined {
  if (error === null || typeof error !== "object") return undefined;
  const { code, message } = error as { code?: string; message?: string };
  return message === undefined ? undefined : `${message}${code === undefined ? "" : ` (${code})`}`;
}

function nextStep(run: string, status: ShownStatus, colours: Colours): string[] {
  if (isUnderWay(status)) return [`  ${colours.gray("next")}  wf status ${run} --follow`];
  if (status === "succeeded") return [`  ${colours.gray("next")}  wf show ${run} STAGE, or wf trace ${run}`];
  return nextLines(run, status as Exclude<ShownStatus, "created" | "running">, colours);
}
