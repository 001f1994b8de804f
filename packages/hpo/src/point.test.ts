import fc from "fast-check";
import { expect, test } from "vitest";
import { dimensionsOf } from "./dimension.ts";
import { choice, integer, oneOf, uniform } from "./parameters.ts";
import { pointOf, settingAt } from "./point.ts";
import { randomSource } from "./random-source.ts";
import { randomPoint } from "./startup-point.ts";
import { liesIn, spaces } from "./test-spaces.ts";

test("a point is a setting and back, whatever the space", () => {
  fc.assert(
    fc.property(spaces, fc.nat(), (space, seed) => {
      const dimensions = dimensionsOf(space);
      const point = randomPoint(dimensions, randomSource(seed));
      const setting = settingAt(dimensions, point);
      expect(liesIn(space, setting)).toBe(true);
      for (const [index, coordinate] of pointOf(dimensions, setting).entries()) {
        if (coordinate === undefined) expect(point[index]).toBeUndefined();
        else expect(coordinate).toBeCloseTo(point[index] as number, 9);
      }
    }),
  );
});

test("a branch that was not taken has no coordinates", () => {
  const space = {
    depth: integer(1, 3),
    opt: oneOf("name", { adam: {}, sgd: { kind: choice(["plain", "nesterov"]), momentum: uniform(0, 1) } }),
  };
  const dimensions = dimensionsOf(space);
  expect(dimensions.map(({ path }) => path.join("."))).toEqual(["depth", "opt.name", "opt.kind", "opt.momentum"]);
  expect(pointOf(dimensions, { depth: 2, opt: { name: "adam" } })).toEqual([0.5, 0, undefined, undefined]);
  const sgd = { depth: 3, opt: { name: "sgd", kind: "nesterov", momentum: 0.25 } };
  expect(pointOf(dimensions, sgd)).toEqual([expect.closeTo(5 / 6), 1, 1, 0.25]);
});

test.each([
  ["a value that is no choice", { a: "z", x: 0 }],
  ["a number out of range", { a: "y", x: 2 }],
  ["a text for a number", { a: "y", x: "0" }],
  ["a parameter that is missing", { a: "y" }],
])("%s is refused", (_, setting) => {
  const dimensions = dimensionsOf({ a: choice(["y"]), x: uniform(0, 1) });
  expect(() => pointOf(dimensions, setting)).toThrow(expect.objectContaining({ code: "WF_SEARCH_SPACE" }));
});
