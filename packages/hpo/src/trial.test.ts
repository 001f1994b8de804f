import { expect, test } from "vitest";
import { endedTrial, Trial } from "./trial.ts";

const setting = { x: 1 };

test("a trial with a number for every objective is complete", () => {
  const trial = endedTrial({ index: 3, setting, values: [0.5, 2] });
  expect(trial).toEqual({ index: 3, setting, state: "complete", values: [0.5, 2], rungs: [] });
  expect(Trial.parse(JSON.parse(JSON.stringify(trial)))).toEqual(trial);
});

test.each([
  ["no value", null],
  ["an empty list", []],
  ["not a number", [Number.NaN]],
  ["infinite in one objective", [1, Number.NEGATIVE_INFINITY]],
])("%s is a failure", (_, values) => {
  expect(endedTrial({ index: 0, setting, values })).toEqual({
    index: 0,
    setting,
    state: "failed",
    values: null,
    rungs: [],
  });
});

test("a rung that is not a number is a failure, and what came before is kept", () => {
  const first = { budget: 1, value: 0.4 };
  const rungs = [first, { budget: 3, value: Number.NaN }];
  const failed = { index: 0, setting, state: "failed", values: null, rungs: [first] };
  expect(endedTrial({ index: 0, setting, values: null, rungs, isPruned: true })).toEqual(failed);
  expect(endedTrial({ index: 0, setting, values: [0.1], rungs })).toEqual(failed);
});

test("a stopped trial keeps its rungs", () => {
  const rungs = [{ budget: 1, value: 0.4 }];
  const pruned = { index: 0, setting, state: "pruned", values: null, rungs };
  expect(endedTrial({ index: 0, setting, values: null, rungs, isPruned: true })).toEqual(pruned);
});
