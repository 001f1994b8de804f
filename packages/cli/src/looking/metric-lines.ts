import type { MetricPoint, Store, TaskSummary } from "@wf/store";
import { counted } from "../format/count.ts";
import { sparkline } from "../format/sparkline.ts";
import { table } from "../format/table.ts";
import type { Screen } from "../screen.ts";
import { jsonText, numberText } from "../view/run-ending.ts";

/** A stage of at most so many tasks is shown task by task, a larger one as the spread of its tasks. */
const TASKS_SHOWN_SINGLY = 4;
const WIDEST_SPARKLINE = 30;

const COLUMNS = [
  { title: "", minWidth: 8 },
  { title: "", minWidth: 6 },
  { title: "" },
  { title: "", minWidth: 8 },
] as const;

/** What the tasks reported: over their steps where a stage has few of them, over its tasks where it has many. */
export function metricLines(store: Store, run: string, screen: Screen): string[] {
  const rows = store.stages(run).flatMap(({ stage }) => {
    const tasks = store.tasks(run, { stage }).tasks.filter(({ metrics }) => Object.keys(metrics).length > 0);
    if (tasks.length > TASKS_SHOWN_SINGLY) return stageRows(stage, tasks);
    return tasks.flatMap((task) => taskRows(store, run, task));
  });
  return linesOf(rows, screen);
}

export function metricLinesOfTask(store: Store, run: string, task: TaskSummary, screen: Screen): string[] {
  return linesOf(
    taskRows(store, run, task).map(([, ...rest]) => ["", ...rest]),
    screen,
  );
}

function linesOf(rows: readonly (readonly string[])[], screen: Screen): string[] {
  const { cyan } = screen.colours;
  const painted = rows.map(([who = "", metric = "", line = "", text = ""]) => [
    who,
    metric,
    { text: line, paint: cyan },
    text,
  ]);
  return table(COLUMNS, painted, { width: screen.columns, indent: "  " });
}

function taskRows(store: Store, run: string, task: TaskSummary): string[][] {
  const points = pointsOf(store, run, task);
  return Object.entries(task.metrics).map(([metric, last]) => {
    const values = points
      .filter(({ name }) => name === metric)
      .map(({ value }) => (typeof value === "number" ? value : null));
    const steps = values.length > 1 ? `  in ${counted(values.length, "step")}` : "";
    return [
      task.task,
      metric,
      values.length > 1 ? sparkline(values, WIDEST_SPARKLINE) : "",
      `${jsonText(last)}${steps}`,
    ];
  });
}

/** A cached task reported where it ran; that run may have been deleted since. */
function pointsOf(store: Store, run: string, { task, cachedFrom }: TaskSummary): MetricPoint[] {
  if (cachedFrom === null) return store.metrics(run, { task });
  return store.runs().some((known) => known.run === cachedFrom.run)
    ? store.metrics(cachedFrom.run, { task: cachedFrom.task })
    : [];
}

function stageRows(stage: string, tasks: readonly TaskSummary[]): string[][] {
  const names = [...new Set(tasks.flatMap(({ metrics }) => Object.keys(metrics)))];
  return names.map((metric) => {
    const values = tasks
      .map(({ metrics }) => metrics[metric])
      .map((value) => (typeof value === "number" ? value : null));
    const known = values.filter((value) => value !== null);
    const who = `${stage} (${counted(tasks.length, "task")})`;
    if (known.length === 0) return [who, metric, "", "no numbers"];
    const low = known.reduce((a, b) => Math.min(a, b));
    const high = known.reduce((a, b) => Math.max(a, b));
    if (low === high) return [who, metric, "", `${numberText(low)} each`];
    return [who, metric, sparkline(values, WIDEST_SPARKLINE), `${numberText(low)} to ${numberText(high)}`];
  });
}
