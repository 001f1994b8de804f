import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSlurmSeconds, wholeMinutes } from "./slurm-time.ts";

test.each([
  ["30", 1800],
  ["1:00", 60],
  ["10:00", 600],
  ["00:10:00", 600],
  ["2:30:15", 9015],
  ["1-0", 86_400],
  ["1-12:30", 131_400],
  ["1-00:00:00", 86_400],
  ["UNLIMITED", Number.POSITIVE_INFINITY],
  ["infinite", Number.POSITIVE_INFINITY],
  ["N/A", null],
  ["NONE", null],
  ["", null],
  ["soon", null],
])("%s is %s seconds", (text, seconds) => {
  expect(parseSlurmSeconds(text)).toBe(seconds);
});

test.each([
  [0.5, 1],
  [60, 1],
  [61, 2],
  [3600, 60],
])("%s seconds are a limit of %s minutes", (seconds, minutes) => {
  expect(wholeMinutes(seconds)).toBe(minutes);
});

test("a limit is never shorter than what was asked for, and read back as written", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e7, noNaN: true }), (seconds) => {
      const read = parseSlurmSeconds(String(wholeMinutes(seconds))) as number;
      expect(read).toBeGreaterThanOrEqual(seconds);
      expect(read - seconds).toBeLessThan(60);
    }),
  );
});
