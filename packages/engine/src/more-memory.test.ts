import type { FailureClass, Resources } from "@wf/core";
import { expect, test } from "vitest";
import { resourcesAfter } from "./more-memory.ts";
import { unmeasuredRecord } from "./unmeasured-record.ts";

const MIB = 2 ** 20;
const asked: Resources = {
  nodes: 1,
  processes: 1,
  cpus: 1,
  memoryBytes: 100 * MIB,
  gpus: 0,
  diskBytes: 0,
  timeLimitSeconds: null,
};

function after(failed: FailureClass, peakMemoryBytes: number | null) {
  const attempt = { run: "r", job: "j", task: "t", attempt: "t@1", host: "h", startedAt: 0, endedAt: 1 };
  const record = unmeasuredRecord(attempt, { class: failed, message: "" });
  return { ...record, usage: { ...record.usage, peakMemoryBytes } };
}

test("after out-of-memory twice what was asked for, or twice what was measured", () => {
  const grown = (peak: number | null) => resourcesAfter(asked, after("out-of-memory", peak), Number.POSITIVE_INFINITY);
  expect(grown(null).memoryBytes).toBe(200 * MIB);
  expect(grown(90 * MIB).memoryBytes).toBe(200 * MIB);
  expect(grown(400 * MIB + 1).memoryBytes).toBe(801 * MIB);
});

test("not more than one job may have, and never less than before", () => {
  expect(resourcesAfter(asked, after("out-of-memory", 400 * MIB), 150 * MIB).memoryBytes).toBe(150 * MIB);
  expect(resourcesAfter(asked, after("out-of-memory", 400 * MIB), 50 * MIB).memoryBytes).toBe(100 * MIB);
});

test("each process of a distributed task asks for its part", () => {
  const two = { ...asked, nodes: 2 };
  const record = after("out-of-memory", 600 * MIB);
  expect(resourcesAfter(two, record, Number.POSITIVE_INFINITY).memoryBytes).toBe(600 * MIB);
  expect(resourcesAfter(two, record, 1000 * MIB).memoryBytes).toBe(500 * MIB);
});

test("other failures change nothing", () => {
  expect(resourcesAfter(asked, after("exit", 400 * MIB), Number.POSITIVE_INFINITY)).toBe(asked);
});
