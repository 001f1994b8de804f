import { expect, test } from "vitest";
import { FINAL_STATES, parseJobState } from "./job-state.ts";

test.each([
  ["PENDING", "waiting"],
  ["RUNNING", "running"],
  ["SUSPENDED", "running"],
  ["COMPLETING", "changing"],
  ["COMPLETED", "completed"],
  ["CANCELLED by 1002", "cancelled"],
  ["CANCELLED+", "cancelled"],
  ["OUT_OF_MEMORY", "out-of-memory"],
  ["NODE_FAIL", "node-failed"],
  ["REQUEUED", "changing"],
  ["REQUEUE_HOLD", "waiting"],
])("%s is %s", (text, state) => {
  expect(parseJobState(text)).toBe(state);
});

test.each(["", "FAILEDX", "running", "SOMETHING_NEW"])("%j is no state that is known", (text) => {
  expect(parseJobState(text)).toBeNull();
});

test("what may go on is no end", () => {
  for (const word of ["PENDING", "RUNNING", "COMPLETING", "REQUEUED", "SUSPENDED", "SPECIAL_EXIT", "STAGE_OUT"]) {
    expect(FINAL_STATES.has(parseJobState(word) as never)).toBe(false);
  }
});
