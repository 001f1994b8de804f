import fc from "fast-check";
import { expect, test } from "vitest";
import { evenBandwidth, neighbourBandwidth } from "./bandwidth.ts";
import { dimensionsOf } from "./dimension.ts";
import { choice, integer, oneOf, uniform } from "./parameters.ts";
import { parzenEstimator } from "./parzen-estimator.ts";
import { type Point, pointOf, settingAt } from "./point.ts";
import { randomSource } from "./random-source.ts";
import { randomPoint } from "./startup-point.ts";
import { liesIn, spaces } from "./test-spaces.ts";

function estimatorOf(
  dimensions: ReturnType<typeof dimensionsOf>,
  points: readonly Point[],
  bandwidth = evenBandwidth(points),
) {
  const observations = points.map((point, rank) => ({ point, weight: 1 / (rank + 1) }));
  return parzenEstimator(dimensions, observations, { bandwidth, priorWeight: 0.5 });
}

test("samples lie in the space and have a density", () => {
  fc.assert(
    fc.property(spaces, fc.nat(), fc.integer({ min: 0, max: 8 }), (space, seed, count) => {
      const dimensions = dimensionsOf(space);
      const random = randomSource(seed);
      const points = Array.from({ length: count }, () => randomPoint(dimensions, random));
      const estimator = estimatorOf(dimensions, points, neighbourBandwidth(points));
      const sample = estimator.sample(random);
      expect(liesIn(space, settingAt(dimensions, sample))).toBe(true);
      expect(Number.isFinite(estimator.logDensity(sample))).toBe(true);
    }),
  );
});

/** A density relative to the uniform distribution is 1 on average. */
test.each([
  ["a range", { x: uniform(-2, 5) }, [{ x: -2 }, { x: 0.3 }]],
  ["whole numbers", { n: integer(1, 7) }, [{ n: 1 }, { n: 6 }]],
  ["whole numbers in a logarithm", { n: integer(1, 100, { log: true }) }, [{ n: 1 }, { n: 90 }]],
  ["options", { c: choice(["a", "b", "c"]) }, [{ c: "b" }]],
  [
    "a branch",
    { o: oneOf("k", { a: { x: uniform(0, 1) }, b: { n: integer(1, 3) } }) },
    [{ o: { k: "a", x: 0.2 } }, { o: { k: "b", n: 3 } }],
  ],
])("is a distribution over %s", (_, space, settings) => {
  const dimensions = dimensionsOf(space);
  const points = settings.map((setting) => pointOf(dimensions, setting));
  const estimator = estimatorOf(dimensions, points);
  const random = randomSource(11);
  const count = 40_000;
  let sum = 0;
  for (let draw = 0; draw < count; draw += 1) sum += Math.exp(estimator.logDensity(randomPoint(dimensions, random)));
  expect(sum / count).toBeCloseTo(1, 1);
});

test("is dense where the observations are, the heavier ones above all", () => {
  const dimensions = dimensionsOf({ x: uniform(0, 1) });
  const { logDensity } = estimatorOf(dimensions, [[0.2], [0.8]], () => 0.1);
  expect(logDensity([0.2])).toBeGreaterThan(logDensity([0.8]));
  expect(logDensity([0.8])).toBeGreaterThan(logDensity([0.5]));
});
