import { expect, test } from "vitest";
import { Backlog } from "./backlog.ts";

function after(seconds: readonly number[]): Backlog {
  const backlog = new Backlog();
  for (const one of seconds) backlog.observe(one);
  return backlog;
}

test("short jobs are kept in stock, long ones can be overtaken", () => {
  expect(after([]).limit(4, 100)).toBe(8);
  expect(after([3600]).limit(4, 100)).toBe(5);
  expect(after([0.001]).limit(4, 1000)).toBe(68);
  expect(after([0]).limit(4, 1000)).toBe(68);
  expect(after([0.1]).limit(4, 100)).toBe(14);
});

test("no more are handed over than the backend takes, and never none", () => {
  expect(after([0.001]).limit(4, 6)).toBe(6);
  expect(after([3600]).limit(1, 1)).toBe(1);
});

test("one odd job does not change the stock much", () => {
  const steady = Array.from({ length: 20 }, () => 0.1);
  expect(after([...steady, 0.2]).limit(4, 100)).toBeGreaterThanOrEqual(13);
});
