import { expect, it } from "vitest";
import { formatTime } from "./time.ts";

it("is local time with a date that sorts", () => {
  const time = new Date(2026, 2, 9, 4, 5, 6);
  expect(formatTime(time.getTime() / 1000)).toBe("2026-03-09 04:05:06");
});
