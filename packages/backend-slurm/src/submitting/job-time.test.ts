import { sampleTask } from "@wf/backend/testing";
import { expect, test } from "vitest";
import { jobTimeSeconds } from "./job-time.ts";

const task = (attempt: string, timeLimitSeconds: number | null, more = {}) =>
  sampleTask(attempt, { timeLimitSeconds, ...more });

test.each([
  ["one task", [task("a", 60)], 4, 60],
  ["side by side", [task("a", 60), task("b", 30)], 2, 60],
  ["one after the other", [task("a", 60), task("b", 30)], 1, 90],
  ["fifty in rows of eight", Array.from({ length: 50 }, (_, i) => task(`t${i}`, 10)), 8, 70],
  ["in the order that they ask for", [task("b", 30, { after: ["a"] }), task("a", 60)], 8, 90],
  ["more cpus than the job has", [task("a", 10, { cpus: 16 }), task("b", 10)], 4, 20],
  ["one without a limit", [task("a", 60), task("b", null)], 1, null],
])("%s", (_, tasks, cpus, seconds) => {
  expect(jobTimeSeconds({ tasks, cpus })).toBe(seconds);
});
