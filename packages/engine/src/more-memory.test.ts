import type { Resources } from "@wf/core";
import { type FailureClass, unmeasuredRecord } from "@wf/protocol";
import { expect, test } from "vitest";
import { type MemorySeen, resourcesAfter } from "./more-memory.ts";

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

const seen =
  (known: Partial<MemorySeen> = {}) =>
  () => ({
    accountedBytes: null,
    mostBytes: Number.POSITIVE_INFINITY,
    ...known,
  });

test("after out-of-memory twice what was asked for, or twice what was measured", () => {
  const grown = (peak: number | null) => resourcesAfter(asked, after("out-of-memory", peak), seen());
  expect(grown(null).memoryBytes).toBe(200 * MIB);
  expect(grown(90 * MIB).memoryBytes).toBe(200 * MIB);
  expect(grown(400 * MIB + 1).memoryBytes).toBe(801 * MIB);
});

test("where accounting has seen more than the record, twice of that", () => {
  const grown = (peak: number | null, accountedBytes: number) =>
    resourcesAfter(asked, after("out-of-memory", peak), seen({ accountedBytes })).memoryBytes;
  expect(grown(null, 520 * MIB)).toBe(1040 * MIB);
  expect(grown(110 * MIB, 520 * MIB)).toBe(1040 * MIB);
  expect(grown(600 * MIB, 520 * MIB)).toBe(1200 * MIB);
  expect(grown(null, 20 * MIB)).toBe(200 * MIB);
});

test("not more than a process may have, and never less than before", () => {
  const grown = (mostBytes: number) =>
    resourcesAfter(asked, after("out-of-memory", 400 * MIB), seen({ mostBytes })).memoryBytes;
  expect(grown(150 * MIB)).toBe(150 * MIB);
  expect(grown(50 * MIB)).toBe(100 * MIB);
});

test("each process of a distributed task asks for its part", () => {
  const two = { ...asked, nodes: 2 };
  const record = after("out-of-memory", 600 * MIB);
  expect(resourcesAfter(two, record, seen()).memoryBytes).toBe(600 * MIB);
  expect(resourcesAfter(two, record, seen({ accountedBytes: 800 * MIB })).memoryBytes).toBe(800 * MIB);
});

test("other failures change nothing", () => {
  expect(resourcesAfter(asked, after("exit", 400 * MIB), seen({ accountedBytes: 900 * MIB }))).toBe(asked);
});
