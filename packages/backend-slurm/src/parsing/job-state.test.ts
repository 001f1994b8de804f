import { expect, test } from "vitest";
import { FINAL_STATES, parseJobState } from "./job-state.ts";

const MAY_GO_ON = [
  ["PENDING", "waiting"],
  ["CONFIGURING", "waiting"],
  ["RESV_DEL_HOLD", "waiting"],
  ["REQUEUE_FED", "waiting"],
  ["REQUEUE_HOLD", "waiting"],
  ["SPECIAL_EXIT", "waiting"],
  ["RUNNING", "running"],
  ["SUSPENDED", "running"],
  ["STOPPED", "running"],
  ["SIGNALING", "running"],
  ["RESIZING", "running"],
  ["STAGE_OUT", "changing"],
  ["COMPLETING", "changing"],
  ["REQUEUED", "changing"],
] as const;

const ENDS = [
  ["COMPLETED", "completed"],
  ["FAILED", "failed"],
  ["LAUNCH_FAILED", "failed"],
  ["RECONFIG_FAIL", "failed"],
  ["CANCELLED", "cancelled"],
  ["CANCELLED by 1002", "cancelled"],
  ["CANCELLED+", "cancelled"],
  ["REVOKED", "cancelled"],
  ["TIMEOUT", "timed-out"],
  ["OUT_OF_MEMORY", "out-of-memory"],
  ["NODE_FAIL", "node-failed"],
  ["BOOT_FAIL", "node-failed"],
  ["PREEMPTED", "preempted"],
  ["DEADLINE", "deadline"],
] as const;

test.each(MAY_GO_ON)("%s is %s, and no end", (text, state) => {
  expect(parseJobState(text)).toBe(state);
  expect(FINAL_STATES.has(state)).toBe(false);
});

test.each(ENDS)("%s is %s, and an end", (text, state) => {
  expect(parseJobState(text)).toBe(state);
  expect(FINAL_STATES.has(state)).toBe(true);
});

test.each(["", "FAILEDX", "running", "SOMETHING_NEW"])("%j is no state that is known", (text) => {
  expect(parseJobState(text)).toBeNull();
});
