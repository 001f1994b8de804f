import type { Dimension } from "./dimension.ts";
import { type Kernel, numberKernel, optionKernel, samplePrior } from "./kernel.ts";
import { buildPoint, type Point } from "./point.ts";
import type { RandomSource } from "./random-source.ts";

export interface Observation {
  readonly point: Point;
  readonly weight: number;
}

/** How wide the hill over a coordinate of an observation is, as a part of [0, 1]. */
export type Bandwidth = (observation: number, dimension: number) => number;

/** A density over the whole space at once, made of a hill over every observation and the uniform prior. */
export interface ParzenEstimator {
  /** Relative to the uniform distribution over the space. */
  logDensity(point: Point): number;
  sample(random: RandomSource): Point;
}

/** In observations: how much an option that was not seen counts beside one that was. */
const OPTION_PRIOR = 2;

/**
 * A hill is a product over the dimensions, which keeps what goes together together: a large step size that was good
 * with a small network says nothing about large ones. Where an observation lacks a dimension of the point (it was in
 * another branch), its hill is flat there.
 */
export function parzenEstimator(
  dimensions: readonly Dimension[],
  observations: readonly Observation[],
  { bandwidth, priorWeight }: { readonly bandwidth: Bandwidth; readonly priorWeight: number },
): ParzenEstimator {
  const smoothing = OPTION_PRIOR / (observations.length + 1);
  const hills = observations.map(({ point }, observation) =>
    dimensions.map((dimension, index) => {
      const centre = point[index];
      if (centre === undefined) return undefined;
      return dimension.kind === "options"
        ? optionKernel(dimension, centre, smoothing)
        : numberKernel(dimension, centre, bandwidth(observation, index));
    }),
  );
  const total = observations.reduce((sum, { weight }) => sum + weight, priorWeight);
  const logWeights = observations.map(({ weight }) => Math.log(weight / total));
  const logPrior = Math.log(priorWeight / total);

  return {
    logDensity: (point) =>
      logSumOfExp([logPrior, ...hills.map((hill, index) => (logWeights[index] as number) + logHeight(hill, point))]),
    sample(random) {
      const hill = pickHill(random.next() * total);
      return buildPoint(
        dimensions,
        (dimension, index) => hill?.[index]?.sample(random) ?? samplePrior(dimension, random),
      );
    },
  };

  function pickHill(drawn: number): Hill | undefined {
    let passed = 0;
    for (const [index, { weight }] of observations.entries()) {
      passed += weight;
      if (drawn < passed) return hills[index];
    }
    return undefined;
  }
}

type Hill = readonly (Kernel | undefined)[];

function logHeight(hill: Hill, point: Point): number {
  let sum = 0;
  for (const [index, coordinate] of point.entries()) {
    if (coordinate !== undefined) sum += hill[index]?.logDensity(coordinate) ?? 0;
  }
  return sum;
}

function logSumOfExp(logs: readonly number[]): number {
  const largest = Math.max(...logs);
  return largest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - largest), 0));
}
