import { canonical, type Json, type Value } from "@wf/protocol";
import type { Metrics, RunDetails, RunTotals, StageDifference, Store, TaskSummary } from "@wf/store";
import { changesBetween, type PartChange } from "./explain-task.ts";
import { shownMetrics } from "./metric-series.ts";

/** How a value is shown to people. */
export type Unit = "plain" | "seconds" | "bytes" | "count" | "time";

export interface ComparedRow {
  readonly name: string;
  readonly unit: Unit;
  /** One a run; null where the run has none. */
  readonly values: readonly Json[];
  readonly differs: boolean;
}

export interface ComparedSection {
  readonly title: "run" | "params" | "inputs" | "metrics" | "costs";
  readonly rows: readonly ComparedRow[];
}

export interface ComparedStage extends StageDifference {
  /** How the key of the example differs. */
  readonly changes: readonly PartChange[];
}

export interface Comparison {
  readonly runs: readonly string[];
  readonly workflows: readonly string[];
  readonly stage: string | null;
  readonly sections: readonly ComparedSection[];
  /** Each further run against the first one. */
  readonly tasks: readonly { readonly run: string; readonly stages: readonly ComparedStage[] }[];
}

/** Parameters, inputs, metrics and costs by name, and tasks by their keys. The first run is the measure. */
export function compareRuns(store: Store, names: readonly string[], stage: string | undefined): Comparison {
  const runs = names.map((name) => store.run(name));
  const [first, ...others] = names as [string, ...string[]];
  const metrics = runs.map((run) => (stage === undefined ? (run.metrics ?? {}) : stageMetrics(store, run.run, stage)));
  return {
    runs: names,
    workflows: [...new Set(runs.map(({ workflow }) => workflow))],
    stage: stage ?? null,
    sections: [
      { title: "run", rows: runRows(runs) },
      { title: "params", rows: rowsOf(runs.map(({ params }) => flattened(params))) },
      { title: "inputs", rows: rowsOf(runs.map(({ inputs }) => mapped(inputs, contentText))) },
      { title: "metrics", rows: rowsOf(metrics) },
      { title: "costs", rows: costRows(runs.map(({ run }) => store.trace(run).totals)) },
    ],
    tasks: others.map((run) => ({ run, stages: stagesOf(store, first, run) })),
  };
}

function row(name: string, values: readonly Json[], unit: Unit = "plain"): ComparedRow {
  return { name, unit, values, differs: new Set(values.map(canonical)).size > 1 };
}

/** One row a name, in the order in which the names come. */
function rowsOf(all: readonly Readonly<Record<string, Json>>[]): ComparedRow[] {
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))];
  return names.map((name) =>
    row(
      name,
      all.map((one) => one[name] ?? null),
    ),
  );
}

function runRows(runs: readonly RunDetails[]): ComparedRow[] {
  const code = ({ git }: RunDetails) =>
    git === null ? null : `${(git.commit ?? "none").slice(0, 10)}${git.diffHash === null ? "" : "+"}`;
  return [
    row(
      "workflow",
      runs.map(({ workflow }) => workflow),
    ),
    row(
      "status",
      runs.map(({ status }) => status),
    ),
    row(
      "started",
      runs.map(({ startedAt, createdAt }) => startedAt ?? createdAt),
      "time",
    ),
    row("commit", runs.map(code)),
    row(
      "bundle",
      runs.map(({ bundle }) => bundle.slice(0, 10)),
    ),
  ];
}

/** No two runs cost exactly the same. */
const COST_TOLERANCE = 0.1;

function costRows(totals: readonly RunTotals[]): ComparedRow[] {
  const of = (name: string, unit: Unit, read: (total: RunTotals) => number | null): ComparedRow => {
    const values = totals.map(read);
    const [first = null] = values;
    const isFar = (value: number | null) =>
      value === null || first === null ? value !== first : Math.abs(value - first) > COST_TOLERANCE * Math.abs(first);
    return { name, unit, values, differs: values.some(isFar) };
  };
  const scaled = (value: number | null, by: number) => (value === null ? null : value * by);
  const hasGpus = totals.some(({ gpuHours }) => (gpuHours ?? 0) > 0);
  return [
    of("wall time", "seconds", ({ seconds }) => seconds),
    of("CPU time", "seconds", ({ cpuHours }) => scaled(cpuHours, 3600)),
    ...(hasGpus ? [of("GPU time", "seconds", ({ gpuHours }) => scaled(gpuHours, 3600))] : []),
    of("peak memory", "bytes", ({ peakMemoryMb }) => scaled(peakMemoryMb, 1e6)),
    of("read", "bytes", ({ readGb }) => scaled(readGb, 1e9)),
    of("written", "bytes", ({ writtenGb }) => scaled(writtenGb, 1e9)),
    of("tasks run", "count", ({ done }) => done),
    of("tasks cached", "count", ({ cached }) => cached),
    of("tasks failed", "count", ({ failed }) => failed),
  ];
}

/** Of a stage with one task its metrics, of a larger one their mean and range. */
function stageMetrics(store: Store, run: string, stage: string): Metrics {
  if (!store.stages(run).some((known) => known.stage === stage)) return {};
  const { tasks } = store.tasks(run, { stage });
  const [only] = tasks;
  if (only === undefined || tasks.length === 1) return shownMetrics(only?.metrics ?? {});
  const names = [...new Set(tasks.flatMap(({ metrics }) => Object.keys(shownMetrics(metrics))))];
  return Object.assign({ tasks: tasks.length }, ...names.map((name) => spread(name, tasks))) as Metrics;
}

function spread(name: string, tasks: readonly TaskSummary[]): Metrics {
  const values = tasks.map(({ metrics }) => metrics[name]).filter((value) => typeof value === "number");
  if (values.length === 0) return {};
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  return { [`${name} mean`]: mean, [`${name} lowest`]: low, [`${name} highest`]: high };
}

/** `{a: {b: 1}}` is `a.b`; lists stay whole. */
function flattened(value: Json, prefix = ""): Record<string, Json> {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return prefix === "" ? {} : { [prefix]: value };
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, member]) => flattened(member, prefix === "" ? name : `${prefix}.${name}`)),
  );
}

function mapped<T>(of: Readonly<Record<string, T>>, read: (one: T) => string | null): Record<string, string | null> {
  return Object.fromEntries(Object.entries(of).map(([name, one]) => [name, read(one)]));
}

/** Equal if and only if the content is. */
function contentText(value: Value): string | null {
  if (value.kind === "absent") return null;
  return value.kind === "list" ? `list of ${value.items.length}` : value.hash.slice(0, 12);
}

function stagesOf(store: Store, first: string, run: string): ComparedStage[] {
  return store.compareTasks(first, run).map((stage) => {
    const { example: task } = stage;
    return { ...stage, changes: task === null ? [] : changesBetween(store, { run: first, task }, { run, task }) };
  });
}
