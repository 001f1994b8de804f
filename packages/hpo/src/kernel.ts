import type { Dimension, NumberDimension, OptionDimension } from "./dimension.ts";
import { logNormalDensity, normalUpTo } from "./normal-distribution.ts";
import { coordinateAt } from "./point.ts";
import type { RandomSource } from "./random-source.ts";

/**
 * A hill over one coordinate of one observation. Densities are relative to the uniform distribution over the dimension,
 * so that dimensions of different kinds, and points of different branches, can be compared.
 */
export interface Kernel {
  logDensity(coordinate: number): number;
  sample(random: RandomSource): number;
}

/** The smallest density that is told from none: a cell far out in the tail. */
const LEAST_DENSITY = 1e-300;

/** A normal distribution around a number, cut off at the ends of [0, 1]; a whole number has the part over its cell. */
export function numberKernel(dimension: NumberDimension, centre: number, bandwidth: number): Kernel {
  const upTo = (unit: number) => normalUpTo((unit - centre) / bandwidth);
  const mass = upTo(1) - upTo(0);
  const logScale = Math.log(bandwidth * mass);
  const { scale } = dimension;
  return {
    logDensity(coordinate) {
      if (!Number.isFinite(scale.count)) return logNormalDensity((coordinate - centre) / bandwidth) - logScale;
      const [low, high] = scale.cellOf(coordinate);
      return Math.log(Math.max(LEAST_DENSITY, (upTo(high) - upTo(low)) / (mass * (high - low))));
    },
    sample(random) {
      // The centre lies in [0, 1] and the bandwidth is at most 1: one draw in three or more falls inside.
      for (;;) {
        const unit = centre + bandwidth * random.normal();
        if (unit >= 0 && unit <= 1) return coordinateAt(dimension, unit);
      }
    },
  };
}

/** The observed option, and every option a little: `smoothing` times as likely as the observed one would be alone. */
export function optionKernel({ options }: OptionDimension, observed: number, smoothing: number): Kernel {
  const total = 1 + smoothing * options.length;
  const logHit = Math.log(((1 + smoothing) * options.length) / total);
  const logMiss = Math.log((smoothing * options.length) / total);
  return {
    logDensity: (coordinate) => (coordinate === observed ? logHit : logMiss),
    sample: (random) => (random.next() * total < 1 ? observed : random.below(options.length)),
  };
}

/** Where nothing was observed, every value is as likely as another. */
export function samplePrior(dimension: Dimension, random: RandomSource): number {
  return coordinateAt(dimension, random.next());
}
