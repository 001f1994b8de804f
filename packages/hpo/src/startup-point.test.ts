import { expect, test } from "vitest";
import { dimensionsOf } from "./dimension.ts";
import { choice, uniform } from "./parameters.ts";
import { latinPoint } from "./startup-point.ts";

test("a Latin hypercube uses every part of every axis once", () => {
  const dimensions = dimensionsOf({ a: uniform(0, 1), b: uniform(5, 9), c: choice(["x", "y"]) });
  const points = Array.from({ length: 10 }, (_, index) => latinPoint(dimensions, { seed: 3, index, count: 10 }));
  for (const axis of [0, 1]) {
    const parts = points.map((point) => Math.floor((point[axis] as number) * 10));
    expect(parts.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  }
  expect(points.filter((point) => point[2] === 0)).toHaveLength(5);
  expect(points.map(([a]) => a)).not.toEqual(points.map(([, b]) => b));
});
