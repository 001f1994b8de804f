import { expect, test } from "vitest";
import { batchWindowMs, recentFlushes } from "./batch-window.ts";

test("what comes first waits for a moment, what follows soon a little longer each time", () => {
  expect(batchWindowMs(200, [], 0)).toBe(200);
  expect(batchWindowMs(200, [1000], 1500)).toBe(400);
  expect(batchWindowMs(200, [1000, 2000, 3000], 4000)).toBe(800);
});

test("a submission is forgotten after a minute", () => {
  expect(batchWindowMs(200, [1000, 50_000], 61_000)).toBe(400);
  expect(recentFlushes([1000, 50_000], 61_000)).toEqual([50_000]);
});

test("no window is longer than ten seconds, unless the site wants it so", () => {
  const many = Array.from({ length: 500 }, () => 0);
  expect(batchWindowMs(200, many, 0)).toBe(10_000);
  expect(batchWindowMs(30_000, many, 0)).toBe(30_000);
});

test("a queue that is refilled all the time takes fewer than thirty submissions a minute", () => {
  let nowMs = 0;
  let flushes: readonly number[] = [];
  let count = 0;
  for (; nowMs < 600_000; count += 1) {
    nowMs += batchWindowMs(200, flushes, nowMs);
    flushes = [...recentFlushes(flushes, nowMs), nowMs];
  }
  expect(count / 10).toBeLessThan(30);
});
