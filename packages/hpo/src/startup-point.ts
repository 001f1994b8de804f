import type { Dimension } from "./dimension.ts";
import { buildPoint, coordinateAt, type Point } from "./point.ts";
import { type RandomSource, randomSource } from "./random-source.ts";

export function randomPoint(dimensions: readonly Dimension[], random: RandomSource): Point {
  return buildPoint(dimensions, (dimension) => coordinateAt(dimension, random.next()));
}

/**
 * Point `index` of a Latin hypercube of `count` points: on every axis each of `count` equal parts is used once, so a
 * few points see more of the space than as many random ones.
 */
export function latinPoint(
  dimensions: readonly Dimension[],
  { seed, index, count }: { readonly seed: number; readonly index: number; readonly count: number },
): Point {
  return buildPoint(dimensions, (dimension, axis) => {
    const part = shuffledAt(randomSource(seed, axis), index, count);
    return coordinateAt(dimension, (part + randomSource(seed, axis, index).next()) / count);
  });
}

/** Element `index` of 0 … count - 1 in a random order. */
function shuffledAt(random: RandomSource, index: number, count: number): number {
  const order = Array.from({ length: count }, (_, part) => part);
  for (let end = count - 1; end > 0; end -= 1) {
    const other = random.below(end + 1);
    [order[end], order[other]] = [order[other] as number, order[end] as number];
  }
  return order[index] as number;
}
