import { expect, test } from "vitest";
import { nextPollMs } from "./poll-schedule.ts";

const schedule = { everyMs: 5000, atMostMs: 60_000 };

test("less and less often while nothing happens, up to the longest pause", () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((quiet) => nextPollMs(schedule, quiet, false))).toEqual([
    5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000,
  ]);
});

test("what is in doubt is asked about soon", () => {
  expect(nextPollMs(schedule, 10, true)).toBe(5000);
});
