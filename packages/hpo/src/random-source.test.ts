import { expect, test } from "vitest";
import { randomSource } from "./random-source.ts";

function drawn(count: number, ...seeds: readonly number[]): readonly number[] {
  const random = randomSource(...seeds);
  return Array.from({ length: count }, () => random.next());
}

test("draws the same numbers on every machine and in every version", () => {
  expect(drawn(3, 1, 0)).toMatchInlineSnapshot(`
    [
      0.7231988807441598,
      0.8368672866293807,
      0.7218485565919722,
    ]
  `);
});

test("draws others for other seeds, large and negative ones too", () => {
  const first = [[0], [1], [0, 0], [0, 1], [1, 0], [2 ** 32], [2 ** 32 + 1], [-1], [2 ** 53 - 1]].map((seeds) =>
    drawn(1, ...seeds),
  );
  expect(new Set(first.flat()).size).toBe(first.length);
});

test("fills [0, 1) evenly, within a seed and across neighbouring ones", () => {
  const within = drawn(20_000, 7);
  const across = Array.from({ length: 20_000 }, (_, seed) => drawn(1, seed)[0] as number);
  for (const numbers of [within, across]) {
    const tenths = Array.from({ length: 10 }, (_, tenth) => numbers.filter((n) => Math.floor(n * 10) === tenth).length);
    // Five standard deviations of a binomial count.
    for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(5 * Math.sqrt(2000 * 0.9));
  }
});

test("draws whole numbers below a count, and normal ones with mean 0 and variance 1", () => {
  const random = randomSource(3);
  expect(new Set(Array.from({ length: 200 }, () => random.below(4)))).toEqual(new Set([0, 1, 2, 3]));
  const normals = Array.from({ length: 20_000 }, () => random.normal());
  const mean = normals.reduce((sum, z) => sum + z, 0) / normals.length;
  const variance = normals.reduce((sum, z) => sum + (z - mean) ** 2, 0) / normals.length;
  expect(Math.abs(mean)).toBeLessThan(0.05);
  expect(Math.abs(variance - 1)).toBeLessThan(0.05);
});
