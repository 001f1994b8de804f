import { FAILURE_CLASSES, type FailureClass } from "@wf/protocol";
import { expect, test } from "vitest";
import { retryPolicy } from "./retry-policy.ts";

/** How often a task that always fails so is tried again. */
function triesAgain(failed: FailureClass, retries: number): number {
  const policy = retryPolicy(retries, () => 0);
  let times = 0;
  while (policy.restBeforeRetryMs(failed, { [failed]: times + 1 }) !== null) times++;
  return times;
}

test("the task's own retries pay for its own failures; the site's failures have budgets of their own", () => {
  const again = Object.fromEntries(
    FAILURE_CLASSES.map((failed) => [failed, [triesAgain(failed, 0), triesAgain(failed, 2)]]),
  );
  expect(again).toEqual({
    exit: [0, 2],
    signal: [0, 2],
    "out-of-memory": [0, 2],
    "time-limit": [0, 2],
    "slice-ended": [0, 0],
    "output-missing": [0, 2],
    "output-invalid": [0, 2],
    cancelled: [0, 0],
    "input-changed": [0, 0],
    "not-reached": [0, 0],
    "not-started": [0, 0],
    "disk-full": [0, 0],
    "stage-in": [1, 1],
    interrupted: [3, 3],
    preempted: [100, 100],
    "node-failed": [5, 5],
    lost: [3, 3],
    internal: [1, 1],
  });
});

test("failures of the task share its retries, and those of the site do not use them up", () => {
  const policy = retryPolicy(2, () => 0);
  expect(policy.restBeforeRetryMs("exit", { exit: 1, "out-of-memory": 1, lost: 3 })).not.toBeNull();
  expect(policy.restBeforeRetryMs("exit", { exit: 2, "out-of-memory": 1 })).toBeNull();
  expect(policy.restBeforeRetryMs("lost", { exit: 2, lost: 1 })).not.toBeNull();
});

test("rests double up to a minute, and chance shortens them by at most half", () => {
  const rests = (random: number) =>
    [1, 2, 3, 7, 8, 50].map((exit) => retryPolicy(100, () => random).restBeforeRetryMs("exit", { exit }));
  expect(rests(0)).toEqual([1000, 2000, 4000, 60_000, 60_000, 60_000]);
  expect(rests(0.5)).toEqual([750, 1500, 3000, 45_000, 45_000, 45_000]);
});
