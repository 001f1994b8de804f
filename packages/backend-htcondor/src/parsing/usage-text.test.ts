import { expect, test } from "vitest";
import { parseUsage } from "./usage-text.ts";

test("days, hours, minutes and seconds", () => {
  expect(parseUsage("\tUsr 1 02:03:04, Sys 0 00:00:05")).toEqual({ userSeconds: 93_784, systemSeconds: 5 });
  expect(parseUsage("none")).toBeNull();
});
