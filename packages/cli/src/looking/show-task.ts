import { existsSync } from "node:fs";
import { join } from "node:path";
import { worldSize } from "@wf/core";
import type { Value } from "@wf/protocol";
import { AttemptFiles } from "@wf/run";
import type { AttemptDetails, GivenInput, Store, TaskDetails } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import type { Paint } from "../format/colour.ts";
import { counted } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { printable } from "../format/printable.ts";
import { type Cell, pairs, table } from "../format/table.ts";
import type { Screen } from "../screen.ts";
import { failureLines } from "../view/failure-report.ts";
import { jsonText } from "../view/run-ending.ts";
import { accountLines } from "./account-lines.ts";
import { metricLinesOfTask } from "./metric-lines.ts";
import { seriesOf } from "./metric-series.ts";
import { lastRanks, rankLines } from "./rank-lines.ts";
import { pictureLines, summaryLines, warningLines } from "./report-lines.ts";
import { type Advice, type Asked, adviseResources } from "./resource-advice.ts";
import { slicesText } from "./slices.ts";
import { storedFailure, whyNotRun } from "./stored-failures.ts";
import { reportsOfTask } from "./task-reports.ts";
import { taskStatePaint } from "./task-state.ts";

export function taskDocument(store: Store, run: string, task: string): object {
  const details = store.task(run, task);
  const { key } = store.keyOf(run, task);
  const attempts = store.attempts(run, task).map((attempt) => {
    const ranks = store.ranks(run, attempt.attempt);
    const { folder } = new AttemptFiles(store.folder, run, attempt.attempt);
    return { ...attempt, ...(ranks.length === 0 ? {} : { ranks }), folder };
  });
  return {
    run,
    ...details,
    keyParts: key?.parts ?? null,
    attempts,
    accounts: store.accounts(run, task),
    resources: adviceFor(store, run, details.stage),
    series: seriesOf(store, run, details).map(({ task: _, ...series }) => series),
    ...reportsOfTask(store, run, details),
  };
}

export function taskLines(store: Store, run: string, name: string, screen: Screen): string[] {
  const { colours } = screen;
  const task = store.task(run, name);
  const attempts = store.attempts(run, name);
  const { pictures, summary, warnings } = reportsOfTask(store, run, task);
  const indented = { width: screen.columns, titlePaint: colours.gray, indent: "  " };
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", colours.gray(title), ...lines];
  const facts: [string, string][] = [
    ["run", run],
    ["stage", task.stage],
    ...paramFacts(task),
    ...keyFacts(run, task, colours.gray),
    ...(task.cachedFrom === null
      ? []
      : [["cached from", `${task.cachedFrom.run} ${task.cachedFrom.task}`] as [string, string]]),
    ...sliceFacts(attempts),
    ...unreachedFacts(attempts),
    ...(task.state === "skipped" ? [["not run", whyNotRun(store, run, task)] as [string, string]] : []),
  ];
  const failure = task.state === "failed" ? storedFailure(store, run, task) : undefined;
  const report = {
    run,
    failures: failure === undefined ? [] : [failure],
    failed: failure === undefined ? 0 : 1,
    notRun: [],
  };
  return [
    `${colours.bold(name)}  ${taskStatePaint(task.state, colours)(task.state)}`,
    ...pairs(facts, colours.gray, "  "),
    ...section("inputs", table(INPUT_COLUMNS, task.inputs.map(inputRow), indented)),
    ...section("outputs", pairs(outputRows(store, run, task), colours.gray, "  ")),
    ...section("metrics", metricLinesOfTask(store, run, task, screen)),
    ...section("summary", summaryLines(summary, screen)),
    ...section("pictures", pictureLines(pictures, screen)),
    ...section("warnings", warningLines(warnings, screen)),
    ...section("attempts", attemptLines(attempts, indented)),
    ...section("as the scheduler counts", accountLines(store.accounts(run, name), screen)),
    ...section("ranks", rankLines(lastRanks(store, run, attempts), screen)),
    ...section("written, and not declared", undeclaredLines(attempts.at(-1))),
    ...section("resources of the stage", adviceLines(adviceFor(store, run, task.stage), screen)),
    ...(failure === undefined ? [] : ["", ...failureLines(report, colours)]),
  ];
}

function keyFacts(run: string, { task, key, state }: TaskDetails, paint: Paint): [string, string][] {
  if (key !== null) return [["key", `${key.slice(0, 12)}  ${paint(`wf why ${run} ${task}`)}`]];
  return state === "skipped" ? [] : [["key", "none: it is never reused"]];
}

function paramFacts({ params }: TaskDetails): [string, string][] {
  const shown = Object.entries(params).map(([name, value]) => `${name}=${jsonText(value)}`);
  return shown.length === 0 ? [] : [["params", shown.join("  ")]];
}

const INPUT_COLUMNS = [
  { title: "" },
  { title: "" },
  { title: "", align: "right" },
  { title: "" },
  { title: "", minWidth: 4 },
] as const;

function inputRow({ name, splits, carried, artifact }: GivenInput): Cell[] {
  if (artifact === null) return [name, "absent"];
  const kind = artifact.items === null ? artifact.kind : `${artifact.kind} of ${artifact.items}`;
  const notes = [...splits, ...(carried ? ["carried, declared unread"] : [])].join(", ");
  return [name, kind, formatBytes(artifact.sizeBytes), artifact.hash.slice(0, 12), notes];
}

/** A file lies in the store under its hash; what is composed of files has no single path. */
function outputRows(store: Store, run: string, { outputs }: TaskDetails): [string, string][] {
  return Object.entries(outputs).map(([name, value]) => [name, outputRowText(store, run, value)]);
}

function outputRowText(store: Store, run: string, value: Value): string {
  switch (value.kind) {
    case "file":
      return `${printable(value.name)}  ${formatBytes(value.size)}  ${whereabouts(store, run, value.hash)}`;
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

/** What a task of a cluster made lies there until somebody here needs it. */
function whereabouts(store: Store, run: string, hash: string): string {
  const path = join(store.folder, "objects", hash.slice(0, 2), hash);
  return existsSync(path) ? path : `not in this store; made on ${store.run(run).site}`;
}

function sliceFacts(attempts: readonly AttemptDetails[]): [string, string][] {
  const slices = slicesText(attempts);
  return slices === undefined ? [] : [["slices", slices]];
}

/** Why the last job that did not come to the task ended. */
function unreachedFacts(attempts: readonly AttemptDetails[]): [string, string][] {
  const unreached = attempts.filter(({ failure }) => failure?.class === "not-reached");
  const message = unreached.at(-1)?.failure?.message;
  if (message === undefined) return [];
  const times = unreached.length === 1 ? "once" : `${unreached.length} times`;
  return [["not reached", `${times}, at no cost: ${printable(message)}`]];
}

/** Slices stand in the table only where there are several. */
function attemptLines(attempts: readonly AttemptDetails[], options: Parameters<typeof table>[2]): string[] {
  if (attempts.length === 0) return [];
  const rows = attempts.map(attemptRow);
  if (slicesText(attempts) === undefined) return table(ATTEMPT_COLUMNS, rows, options);
  const [number, ...others] = ATTEMPT_COLUMNS;
  const withSlices = rows.map(([first = "", ...rest], row) => [first, String(attempts[row]?.slice ?? ""), ...rest]);
  return table([number, { title: "slice", align: "right" }, ...others], withSlices, options);
}

const ATTEMPT_COLUMNS = [
  { title: "no", align: "right" },
  { title: "state" },
  { title: "waited", align: "right" },
  { title: "ran", align: "right" },
  { title: "CPU", align: "right" },
  { title: "memory", align: "right" },
  { title: "read", align: "right" },
  { title: "written", align: "right" },
  { title: "host", minWidth: 4 },
] as const;

function attemptRow(attempt: AttemptDetails): Cell[] {
  const { usage, startedAt } = attempt;
  const known = (value: number | null | undefined, text: (value: number) => string) =>
    value == null ? "-" : text(value);
  return [
    String(attempt.number),
    attempt.failure === null ? attempt.state : attempt.failure.class,
    startedAt === null ? "-" : formatDuration(Math.max(0, startedAt - attempt.submittedAt)),
    known(usage?.wallSeconds, formatDuration),
    known(usage?.cpuPercent, (percent) => `${percent.toFixed(0)} %`),
    known(usage?.peakMemoryBytes, formatBytes),
    known(usage?.readBytes, formatBytes),
    known(usage?.writtenBytes, formatBytes),
    attempt.host ?? "-",
  ];
}

const UNDECLARED_SHOWN = 20;

function undeclaredLines(attempt: AttemptDetails | undefined): string[] {
  const files = attempt?.undeclared ?? [];
  const lines = files.slice(0, UNDECLARED_SHOWN).map(({ path, size }) => `  ${printable(path)}  ${formatBytes(size)}`);
  return files.length > lines.length ? [...lines, `  … and ${files.length - lines.length} more`] : lines;
}

function adviceFor(store: Store, run: string, stageName: string): Advice[] {
  const stage = store.stages(run).find(({ stage }) => stage === stageName);
  const trace = store.trace(run).stages.find(({ stage }) => stage === stageName);
  if (stage === undefined || trace === undefined || trace.attempts === 0) return [];
  const asked = stage.resources as unknown as Asked & { readonly nodes?: number; readonly processes?: number };
  const { nodes = 1, processes = 1 } = asked;
  const size = worldSize({ nodes, processes });
  return adviseResources(asked, {
    cpuPercent: trace.cpuPercent === null ? null : trace.cpuPercent / size,
    peakMemoryBytes: trace.peakMemoryMb === null ? null : (trace.peakMemoryMb * 1e6) / size,
    longestSeconds: trace.longestSeconds,
  });
}

function adviceLines(advice: readonly Advice[], screen: Screen): string[] {
  if (advice.length === 0) return [];
  const { colours } = screen;
  const rows = advice.map(({ resource, asked, used, proposal }) => [
    resource,
    asked,
    used,
    proposal === undefined ? "" : { text: `better: ${proposal}`, paint: colours.yellow },
  ]);
  const columns = [
    { title: "" },
    { title: "asked", align: "right" },
    { title: "used", align: "right" },
    { title: "", minWidth: 10 },
  ] as const;
  return table(columns, rows, { width: screen.columns, titlePaint: colours.gray, indent: "  " });
}
