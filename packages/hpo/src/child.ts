import type { Dimension } from "./dimension.ts";
import { buildPoint, coordinateAt, type Point } from "./point.ts";
import type { RandomSource } from "./random-source.ts";

const CROSSOVER_RATE = 0.9;
/** Small lets children go far, large keeps them near a parent. Searches have few trials, so these are small. */
const CROSSOVER_INDEX = 3;
const MUTATION_INDEX = 10;

/**
 * A point between or near two parents, with about one of its coordinates changed. A coordinate that only one parent
 * has (the other was in another branch) comes from that one; one that neither has is drawn anew.
 */
export function childOf(
  dimensions: readonly Dimension[],
  [mother, father]: readonly [Point, Point],
  random: RandomSource,
): Point {
  const isCrossed = random.next() < CROSSOVER_RATE;
  const mutationRate = 1 / mother.filter((coordinate) => coordinate !== undefined).length;
  return buildPoint(dimensions, (dimension, index) => {
    const inherited = inherit(dimension, mother[index], isCrossed ? father[index] : mother[index], random);
    if (inherited === undefined) return coordinateAt(dimension, random.next());
    return random.next() < mutationRate ? mutate(dimension, inherited, random) : inherited;
  });
}

function inherit(
  dimension: Dimension,
  one: number | undefined,
  other: number | undefined,
  random: RandomSource,
): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const [near, far] = random.next() < 0.5 ? [one, other] : [other, one];
  if (dimension.kind === "options" || near === far || random.next() < 0.5) return near;
  return coordinateAt(dimension, blend(near, far, random));
}

/** Simulated binary crossover (Deb and Agrawal, 1995), cut off at the ends of the scale. */
function blend(near: number, far: number, random: RandomSource): number {
  const drawn = random.next();
  const spread =
    drawn < 0.5 ? (2 * drawn) ** (1 / (CROSSOVER_INDEX + 1)) : (2 * (1 - drawn)) ** (-1 / (CROSSOVER_INDEX + 1));
  return clampUnit(((1 + spread) * near + (1 - spread) * far) / 2);
}

function mutate(dimension: Dimension, coordinate: number, random: RandomSource): number {
  if (dimension.kind === "options") return otherOption(dimension.options.length, coordinate, random);
  return coordinateAt(dimension, polynomialStep(coordinate, random));
}

function otherOption(count: number, option: number, random: RandomSource): number {
  return count === 1 ? option : (option + 1 + random.below(count - 1)) % count;
}

/** Polynomial mutation (Deb and Goyal, 1996): near most of the time, and never beyond the ends of the scale. */
function polynomialStep(coordinate: number, random: RandomSource): number {
  const drawn = random.next();
  const power = MUTATION_INDEX + 1;
  if (drawn < 0.5) {
    const step = (2 * drawn + (1 - 2 * drawn) * (1 - coordinate) ** power) ** (1 / power) - 1;
    return clampUnit(coordinate + step);
  }
  const step = 1 - (2 * (1 - drawn) + 2 * (drawn - 0.5) * coordinate ** power) ** (1 / power);
  return clampUnit(coordinate + step);
}

function clampUnit(unit: number): number {
  return Math.min(1, Math.max(0, unit));
}
