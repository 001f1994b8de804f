import { parseBytes, parseSeconds } from "@wf/protocol";
import { expect, test } from "vitest";
import { memoryText, timeText } from "./amount-text.ts";

test.each([
  [8000 * 2 ** 20, "8000MiB"],
  [512 * 2 ** 30, "512GiB"],
])("%i bytes of memory", (bytes, text) => {
  expect(memoryText(bytes)).toBe(text);
  expect(parseBytes(text)).toBe(bytes);
});

test.each([
  [7 * 86_400, "7d"],
  [36 * 3600, "36h"],
  [60, "1m"],
  [90, "90s"],
])("%i seconds", (seconds, text) => {
  expect(timeText(seconds)).toBe(text);
  expect(parseSeconds(text)).toBe(seconds);
});
