import { describe, expect, it } from "vitest";
import { formatAge, formatDuration, formatElapsed } from "./duration.ts";

describe("formatDuration", () => {
  it.each([
    [0, "0s"],
    [0.0004, "0.4ms"],
    [0.034, "34ms"],
    [0.9996, "1.00s"],
    [1.234, "1.23s"],
    [9.999, "10.0s"],
    [12.34, "12.3s"],
    [59.96, "1m 00s"],
    [184, "3m 04s"],
    [4320, "1h 12m"],
    [97_200, "1d 03h"],
  ])("%d s is %s", (seconds, text) => expect(formatDuration(seconds)).toBe(text));
});

describe("formatElapsed", () => {
  it.each([
    [-1, "0s"],
    [2.6, "3s"],
    [59.6, "1m 00s"],
    [3599.7, "1h 00m"],
  ])("%d s is %s", (seconds, text) => expect(formatElapsed(seconds)).toBe(text));
});

describe("formatAge", () => {
  it.each([
    [3, "just now"],
    [59.9, "59s ago"],
    [300, "5m ago"],
    [86_400, "24h ago"],
    [864_000, "10d ago"],
  ])("%d s is %s", (seconds, text) => expect(formatAge(seconds)).toBe(text));
});
