import type { MetricPoint } from "@wf/store";

type Reported = Pick<MetricPoint, "attempt" | "slice" | "name" | "step" | "line" | "value">;

export interface CountedPoint {
  readonly name: string;
  /** The step that was named, else the number of the line, counted on from slice to slice. */
  readonly step: number;
  readonly value: MetricPoint["value"];
}

/**
 * Of all that the attempts of one task reported, in order, what makes up its series: the last attempt alone, or the
 * slices that go on from each other. What a slice does again, since its checkpoint was older, counts once.
 */
export function pointsThatCount(reported: readonly Reported[]): CountedPoint[] {
  const lastOf = new Map<number | null, string>();
  for (const { slice, attempt } of reported) lastOf.set(slice, attempt);
  const parts = [...lastOf.values()].map((attempt) => reported.filter((point) => point.attempt === attempt));
  let series: CountedPoint[] = [];
  let lines = 0;
  for (const part of parts) {
    const first = new Map<string, number>();
    for (const { name, step } of part) if (step !== null) first.set(name, Math.min(step, first.get(name) ?? step));
    series = series.filter(({ name, step }) => step < (first.get(name) ?? Number.POSITIVE_INFINITY));
    series.push(...part.map(({ name, step, line, value }) => ({ name, step: step ?? lines + line, value })));
    lines += 1 + Math.max(-1, ...part.map(({ line }) => line));
  }
  return series;
}
