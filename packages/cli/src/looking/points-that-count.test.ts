import { expect, test } from "vitest";
import { pointsThatCount } from "./points-that-count.ts";

function reported(attempt: string, slice: number | null, steps: readonly (number | null)[]) {
  return steps.map((step, line) => ({ attempt, slice, name: "loss", step, line, value: line }));
}
const stepsOf = (...parts: ReturnType<typeof reported>[]) => pointsThatCount(parts.flat()).map(({ step }) => step);

test("of tries that began anew, the last one counts", () => {
  expect(stepsOf(reported("a@1", null, [1, 2, 3]), reported("a@2", null, [1, 2]))).toEqual([1, 2]);
});

test("slices make one series", () => {
  expect(stepsOf(reported("a@1", 1, [1, 2]), reported("a@2", 2, [3, 4]), reported("a@3", 3, [5]))).toEqual([
    1, 2, 3, 4, 5,
  ]);
});

test("what a slice had to do again counts once, and an attempt that left nothing not at all", () => {
  expect(stepsOf(reported("a@1", 1, [1, 2, 3]), reported("a@2", 2, [3]), reported("a@3", 2, [3, 4]))).toEqual([
    1, 2, 3, 4,
  ]);
});

test("lines without steps are counted on", () => {
  expect(stepsOf(reported("a@1", 1, [null, null]), reported("a@2", 2, [null]))).toEqual([0, 1, 2]);
});
