import type { Metrics, MetricValue, Store, TaskSummary } from "@wf/store";
import { bestEnd } from "./metric-direction.ts";
import { pointsThatCount } from "./points-that-count.ts";

export interface SeriesPoint {
  /** The step that the task named, else the number of the line. */
  readonly step: number;
  readonly value: MetricValue;
}

/** One metric of one task over its steps. */
export interface MetricSeries {
  readonly task: string;
  readonly name: string;
  readonly first: MetricValue;
  readonly last: MetricValue;
  /** Null where there is no number. */
  readonly best: (SeriesPoint & { readonly value: number; readonly end: "lowest" | "highest" }) | null;
  readonly points: readonly SeriesPoint[];
}

/** Of what the task itself reported; of a cached task, where it ran. */
export function seriesOf(store: Store, run: string, task: TaskSummary): MetricSeries[] {
  const points = pointsOf(store, run, task);
  return Object.entries(shownMetrics(task.metrics)).map(([name, last]) => {
    const own = points.get(name) ?? [];
    return { task: task.task, name, first: own[0]?.value ?? last, last, best: bestOf(name, own), points: own };
  });
}

/** `step` numbers the others. A task may declare it as a metric all the same. */
export function shownMetrics(metrics: Metrics): Metrics {
  const { step: _, ...shown } = metrics;
  return shown;
}

function bestOf(name: string, points: readonly SeriesPoint[]): MetricSeries["best"] {
  const end = bestEnd(name);
  const sign = end === "highest" ? 1 : -1;
  let best: MetricSeries["best"] = null;
  for (const { step, value } of points) {
    if (typeof value !== "number") continue;
    if (best === null || sign * value > sign * best.value) best = { step, value, end };
  }
  return best;
}

/** Those of the last attempt, as an earlier one failed; of a resumable task, those of all of its slices. */
function pointsOf(store: Store, run: string, task: TaskSummary): Map<string, SeriesPoint[]> {
  const place = whereItRan(store, run, task);
  const points = new Map<string, SeriesPoint[]>();
  if (place === undefined) return points;
  const all = store.metrics(place.run, { task: place.task });
  for (const { name, step, value } of pointsThatCount(all)) {
    const series = points.get(name) ?? [];
    points.set(name, series);
    series.push({ step, value });
  }
  return points;
}

/** A cached task reported where it ran; undefined if that run has been deleted since. */
export function whereItRan(
  store: Store,
  run: string,
  { task, cachedFrom }: TaskSummary,
): { readonly run: string; readonly task: string } | undefined {
  if (cachedFrom === null) return { run, task };
  return store.hasRun(cachedFrom.run) ? cachedFrom : undefined;
}
