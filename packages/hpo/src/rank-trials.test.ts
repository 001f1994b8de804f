import { expect, test } from "vitest";
import { rankTrials } from "./rank-trials.ts";
import { endedTrial, type Trial } from "./trial.ts";

function complete(index: number, values: readonly number[], first?: number): Trial {
  const rungs = first === undefined ? [] : [{ budget: 1, value: first }];
  return endedTrial({ index, setting: {}, values, rungs });
}

function pruned(index: number, ...values: readonly number[]): Trial {
  const rungs = values.map((value, rung) => ({ budget: 3 ** rung, value }));
  return endedTrial({ index, setting: {}, values: null, rungs, isPruned: true });
}

const order = (trials: readonly Trial[]) => rankTrials(trials, ["minimise"]).map(({ index }) => index);

test("one objective: by value, equals by index, failures left out", () => {
  const failed = endedTrial({ index: 3, setting: {}, values: null });
  expect(order([complete(0, [2]), complete(2, [1]), failed, complete(1, [1])])).toEqual([1, 2, 0]);
  const maximised = rankTrials([complete(0, [2]), complete(1, [3])], ["maximise"]);
  expect(maximised.map(({ index }) => index)).toEqual([1, 0]);
});

test("several objectives: by front, then the lonely ones first", () => {
  const trials = [complete(0, [5, 5]), complete(1, [0, 9]), complete(2, [1, 8]), complete(3, [9, 0])];
  expect(rankTrials(trials, ["minimise", "minimise"]).map(({ index }) => index)).toEqual([1, 3, 0, 2]);
});

test("a stopped trial comes behind those that were as good as it where it stopped", () => {
  const slowStarter = complete(0, [0.1], 0.9);
  const good = complete(1, [0.2], 0.3);
  const neverStopped = complete(2, [0.8], 0.85);
  expect(order([slowStarter, good, neverStopped, pruned(3, 0.5)])).toEqual([0, 1, 3, 2]);
  expect(order([slowStarter, good, neverStopped, pruned(3, 0.95)])).toEqual([0, 1, 2, 3]);
});

test("without a complete trial, those that came far come first", () => {
  expect(order([pruned(0, 0.2), pruned(1, 0.05, 0.5), pruned(2, 0.1)])).toEqual([1, 2, 0]);
});
