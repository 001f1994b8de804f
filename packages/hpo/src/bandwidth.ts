import type { Bandwidth } from "./parzen-estimator.ts";
import type { Point } from "./point.ts";

/** Never narrower than this, so that few observations do not pin the search to themselves ("magic clip"). */
function narrowest(observations: number): number {
  return 1 / Math.min(100, observations + 2);
}

/**
 * As far as the farther neighbour on the axis: wide where observations are sparse, narrow where they gather.
 * So the estimate closes in by itself on what is good. `zoom` below 1 looks closer.
 */
export function neighbourBandwidth(points: readonly Point[], zoom = 1): Bandwidth {
  const least = narrowest(points.length);
  const axes = (points[0] ?? []).map((_, dimension) => gapsOnAxis(points.map((point) => point[dimension])));
  return (observation, dimension) => zoom * Math.max(least, axes[dimension]?.[observation] ?? 1);
}

function gapsOnAxis(coordinates: readonly (number | undefined)[]): readonly number[] {
  const gaps = coordinates.map(() => 1);
  const seen = coordinates.flatMap((place, observation) => (place === undefined ? [] : [{ place, observation }]));
  seen.sort((a, b) => a.place - b.place);
  for (const [rank, { place, observation }] of seen.entries()) {
    const before = seen[rank - 1]?.place;
    const after = seen[rank + 1]?.place;
    const alone = before === undefined && after === undefined;
    gaps[observation] = alone
      ? Math.max(place, 1 - place)
      : Math.max(place - (before ?? place), (after ?? place) - place);
  }
  return gaps;
}

/** A width for one observation on one axis; it shrinks with their number by Scott's rule. */
const WIDTH_OF_ONE = 0.15;

/** The same everywhere: a smooth picture of where has been looked, without holes that would draw the search. */
export function evenBandwidth(points: readonly Point[]): Bandwidth {
  const coordinates = points.reduce((sum, point) => sum + point.filter((place) => place !== undefined).length, 0);
  const dimensions = coordinates / Math.max(1, points.length);
  const width = Math.max(
    narrowest(points.length),
    WIDTH_OF_ONE * Math.max(1, points.length) ** (-1 / (dimensions + 4)),
  );
  return () => width;
}
