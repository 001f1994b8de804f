import { expect, test } from "vitest";
import { logNormalDensity, normalUpTo } from "./normal-distribution.ts";

test("agrees with the tables", () => {
  expect(normalUpTo(0)).toBe(0.5);
  expect(normalUpTo(1)).toBeCloseTo(0.8413447460685429, 14);
  expect(normalUpTo(-1.959963984540054)).toBeCloseTo(0.025, 14);
  expect(normalUpTo(5)).toBeCloseTo(0.9999997133484281, 14);
  expect([normalUpTo(-40), normalUpTo(40)]).toEqual([0, 1]);
  expect(Math.exp(logNormalDensity(1))).toBeCloseTo(0.24197072451914337, 14);
});
