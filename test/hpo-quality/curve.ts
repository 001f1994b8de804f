import type { Outcomes } from "./contender.ts";

/** What a run had reached after each trial. */
export type Curve = readonly number[];

/** The least value so far; infinite until a trial succeeds. */
export function leastSoFar(outcomes: Outcomes): Curve {
  let least = Number.POSITIVE_INFINITY;
  return outcomes.map((values) => {
    least = Math.min(least, values?.[0] ?? Number.POSITIVE_INFINITY);
    return least;
  });
}

/** The area that is dominated so far, up to the reference point. */
export function areaSoFar(outcomes: Outcomes, reference: readonly [number, number]): Curve {
  const seen: (readonly [number, number])[] = [];
  return outcomes.map((values) => {
    if (values) seen.push([values[0] as number, values[1] as number]);
    return dominatedArea(seen, reference);
  });
}

function dominatedArea(points: readonly (readonly [number, number])[], [right, top]: readonly [number, number]) {
  const inside = points.filter(([x, y]) => x < right && y < top).sort(([a], [b]) => a - b);
  let area = 0;
  let ceiling = top;
  for (const [x, y] of inside) {
    if (y >= ceiling) continue;
    area += (right - x) * (ceiling - y);
    ceiling = y;
  }
  return area;
}

/** The middle of the runs, and where the middle half of them lies. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { low: quantile(sorted, 0.25), median: quantile(sorted, 0.5), high: quantile(sorted, 0.75) };
}

export function spreadsOf(curves: readonly Curve[]): readonly Spread[] {
  return (curves[0] ?? []).map((_, trial) => spreadOf(curves.map((curve) => curve[trial] as number)));
}

function quantile(sorted: readonly number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below === above ? below : below + (above - below) * (place - Math.floor(place));
}
