import { expect, test, vi } from "vitest";
import { until } from "./until.ts";

test("returns what it has seen", async () => {
  let looks = 0;
  expect(await until("the third look", () => ++looks === 3 && "seen")).toBe("seen");
  expect(await until("a zero", () => 0)).toBe(0);
});

test("takes what is thrown for a look in vain", async () => {
  let looks = 0;
  await until("two looks", () => {
    expect(++looks).toBe(2);
    return true;
  });
  expect(looks).toBe(2);
});

test("says for what it waited in vain, and what it saw last", async () => {
  const at = { patienceMs: 30 };
  await expect(until("a file", () => false, at)).rejects.toThrow("waited 0.03 s in vain for a file; seen last: false");
  const fails = () => Promise.reject(new Error("no such file"));
  await expect(until("a file", fails, at)).rejects.toThrow("for a file; seen last: no such file");
  const lastSeen = () => ["one", "two"];
  await expect(until("three", () => false, { ...at, lastSeen })).rejects.toThrow("seen last: [ 'one', 'two' ]");
});

test("waits in real time where a test has a clock of its own", async () => {
  vi.useFakeTimers();
  try {
    let looks = 0;
    await until("the second look", () => ++looks === 2);
  } finally {
    vi.useRealTimers();
  }
});
