import { expect, test } from "vitest";
import type { JobEnd } from "../ending/job-end.ts";
import type { JobState } from "../parsing/job-state.ts";
import { failureOfPilot } from "./failure-of-pilot.ts";

const ended = (state: JobState, words: string): JobEnd => ({
  ...{ state, words, reason: "", exitCode: 0, signal: 0, nodes: "c1", startedAt: 1, endedAt: 2, peakMemoryBytes: null },
});

test.each([
  ["preempted", "PREEMPTED", "preempted"],
  ["node-failed", "NODE_FAIL", "node-failed"],
  ["out-of-memory", "OUT_OF_MEMORY", "out-of-memory"],
  ["cancelled", "CANCELLED by 0", "lost"],
  ["timed-out", "TIMEOUT", "lost"],
  ["completed", "COMPLETED", "lost"],
] as const)("a pilot that ended as %s", (state, words, failed) => {
  const failure = failureOfPilot(ended(state, words), "");
  expect(failure.class).toBe(failed);
  expect(failure.message).toContain(words);
});
