import fc from "fast-check";
import { expect, test } from "vitest";
import { integer, logUniform, uniform } from "./parameters.ts";
import { scaleOf } from "./scale.ts";

test("a whole number owns a cell; the cells lie side by side and fill [0, 1]", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), fc.boolean(), (low, size, log) => {
      const { count, toUnit, fromUnit, cellOf } = scaleOf(integer(low, low + size, { log }));
      expect(count).toBe(size + 1);
      let end = 0;
      for (let value = low; value <= low + size; value += 1) {
        const unit = toUnit(value);
        expect(fromUnit(unit)).toBe(value);
        expect(cellOf(unit)[0]).toBeCloseTo(end, 9);
        end = cellOf(unit)[1];
      }
      expect(end).toBeCloseTo(1, 9);
    }),
  );
});

test("steps leave out what they do not reach", () => {
  const { count, fromUnit } = scaleOf(integer(1, 9, { step: 3 }));
  expect(count).toBe(3);
  expect([0, 0.2, 0.4, 0.6, 0.8, 1].map(fromUnit)).toEqual([1, 1, 4, 4, 7, 7]);
});

test("a logarithmic range has its geometric mean in the middle", () => {
  expect(scaleOf(logUniform(1e-4, 1)).fromUnit(0.5)).toBeCloseTo(1e-2, 10);
});

test("values have as many digits as the range needs, and the ends are exact", () => {
  const { fromUnit } = scaleOf(uniform(0.1, 0.7));
  expect([0, 1 / 3, 1].map(fromUnit)).toEqual([0.1, 0.3, 0.7]);
  expect(scaleOf(uniform(1e6, 1e6 + 1)).fromUnit(1 / 3)).toBe(1000000.33333333);
  expect(scaleOf(logUniform(1e-5, 1e-1)).fromUnit(1 / 3)).toBe(0.00021544347);
  expect(scaleOf(logUniform(1e-300, 1e-200)).fromUnit(0.5)).toBe(1e-250);
});
