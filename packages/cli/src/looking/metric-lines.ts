import type { MetricValue, Store, TaskSummary } from "@wf/store";
import { counted } from "../format/count.ts";
import { printable } from "../format/printable.ts";
import { sparkline } from "../format/sparkline.ts";
import { type Cell, type Column, table } from "../format/table.ts";
import { textWidth } from "../format/text-width.ts";
import type { Screen } from "../screen.ts";
import { jsonText, numberText } from "../view/run-ending.ts";
import { END_SIGN } from "./metric-direction.ts";
import { type MetricSeries, seriesOf, shownMetrics } from "./metric-series.ts";

/** A stage of at most so many tasks is shown task by task, a larger one as the spread of its tasks. */
const TASKS_SHOWN_SINGLY = 4;
const WIDEST_SPARKLINE = 30;
const NARROWEST_SPARKLINE = 8;
const INDENT = "  ";

interface Shown {
  readonly series: readonly MetricSeries[];
  readonly spreads: readonly Spread[];
}

/** What the tasks reported: over their steps where a stage has few of them, over its tasks where it has many. */
export function metricLines(store: Store, run: string, screen: Screen): string[] {
  const { series, spreads } = metricsToShow(store, run);
  return [...seriesTable(series, screen, { namesTask: true }), ...spreadTable(spreads, screen)];
}

export function metricLinesOfTask(store: Store, run: string, task: TaskSummary, screen: Screen): string[] {
  return seriesTable(seriesOf(store, run, task), screen, { namesTask: false });
}

export function metricsToShow(store: Store, run: string): Shown {
  const series: MetricSeries[] = [];
  const spreads: Spread[] = [];
  for (const { stage } of store.stages(run)) {
    const tasks = store.tasks(run, { stage }).tasks.filter(({ metrics }) => Object.keys(metrics).length > 0);
    if (tasks.length > TASKS_SHOWN_SINGLY) spreads.push(...spreadsOf(stage, tasks));
    else series.push(...tasks.flatMap((task) => seriesOf(store, run, task)));
  }
  return { series, spreads };
}

const SERIES_COLUMNS: readonly Column[] = [
  { title: "task", minWidth: 8 },
  { title: "metric", minWidth: 6 },
  { title: "first", align: "right" },
  { title: "last", align: "right" },
  { title: "best", align: "right" },
  { title: "at", align: "right" },
];

function seriesTable(all: readonly MetricSeries[], screen: Screen, { namesTask }: { namesTask: boolean }): string[] {
  const hasSteps = all.some(({ points }) => points.length > 1);
  const columns = SERIES_COLUMNS.filter(({ title }, index) => (index > 1 ? hasSteps || title === "last" : true));
  const rows = all.map((series) => {
    const { task, name, first, last, best, points } = series;
    const isSeries = points.length > 1;
    const cells = {
      task: namesTask ? task : "",
      metric: printable(name),
      first: isSeries ? valueCell(first, screen) : "",
      last: valueCell(last, screen),
      best: isSeries && best !== null ? `${END_SIGN[best.end]} ${numberText(best.value)}` : "",
      at: isSeries && best !== null ? numberText(best.step) : "",
    };
    return columns.map(({ title }) => cells[title as keyof typeof cells]);
  });
  const shown = columns
    .filter(({ title }) => namesTask || title !== "task")
    .map((column) => (hasSteps ? column : { ...column, title: "" }));
  const cells = namesTask ? rows : rows.map(([, ...rest]) => rest);
  return withSparklines(
    shown,
    cells,
    all.map(({ points }) => points.map(({ value }) => numberOf(value))),
    screen,
  );
}

interface Spread {
  readonly stage: string;
  readonly tasks: number;
  readonly name: string;
  readonly values: readonly (number | null)[];
}

function spreadsOf(stage: string, tasks: readonly TaskSummary[]): Spread[] {
  const names = [...new Set(tasks.flatMap(({ metrics }) => Object.keys(shownMetrics(metrics))))];
  return names.map((name) => ({
    stage,
    tasks: tasks.length,
    name,
    values: tasks.map(({ metrics }) => numberOf(metrics[name] ?? null)),
  }));
}

const SPREAD_COLUMNS: readonly Column[] = [
  { title: "stage", minWidth: 8 },
  { title: "metric", minWidth: 6 },
  { title: "lowest", align: "right" },
  { title: "mean", align: "right" },
  { title: "highest", align: "right" },
];

function spreadTable(spreads: readonly Spread[], screen: Screen): string[] {
  const rows = spreads.map(({ stage, tasks, name, values }) => {
    const known = values.filter((value) => value !== null);
    const who = `${stage} (${counted(tasks, "task")})`;
    if (known.length === 0) return [who, printable(name), "no numbers"];
    const mean = known.reduce((a, b) => a + b, 0) / known.length;
    const ends = [known.reduce((a, b) => Math.min(a, b)), mean, known.reduce((a, b) => Math.max(a, b))];
    return [who, printable(name), ...ends.map(numberText)];
  });
  const lines = spreads.map(({ values }) => values);
  return withSparklines(SPREAD_COLUMNS, rows, lines, screen);
}

/** They take the room that is left. */
function withSparklines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  values: readonly (readonly (number | null)[])[],
  screen: Screen,
): string[] {
  if (rows.length === 0) return [];
  const { colours } = screen;
  const options = { width: screen.columns, titlePaint: colours.gray, indent: INDENT };
  const used = Math.max(...table(columns, rows, { width: undefined, indent: INDENT }).map(textWidth));
  const room = (screen.columns ?? Number.POSITIVE_INFINITY) - used - 2;
  const width = Math.max(NARROWEST_SPARKLINE, Math.min(WIDEST_SPARKLINE, room));
  const drawn = rows.map((cells, index) => {
    const series = values[index] ?? [];
    const padded = [...cells, ...Array<Cell>(columns.length - cells.length).fill("")];
    return series.length > 1 ? [...padded, { text: sparkline(series, width), paint: colours.cyan }] : padded;
  });
  return table([...columns, { title: "" }], drawn, options);
}

function numberOf(value: MetricValue): number | null {
  return typeof value === "number" ? value : null;
}

/** NaN and infinities come as text. */
function valueCell(value: MetricValue, { colours }: Screen): Cell {
  const isLost = value === "NaN" || value === "Infinity" || value === "-Infinity";
  return { text: jsonText(value), ...(isLost ? { paint: colours.yellow } : {}) };
}
