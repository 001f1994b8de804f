import { expect, it } from "vitest";
import { backOffMs } from "./back-off.ts";

const policy = { firstMs: 2_000, longestMs: 60_000 };
const pauses = (random: number) => [0, 1, 2, 3, 4, 5, 50].map((failures) => backOffMs(failures, policy, () => random));

it("grows up to a limit, and leaves half of it to chance", () => {
  expect(pauses(1)).toEqual([0, 2_000, 6_000, 18_000, 54_000, 60_000, 60_000]);
  expect(pauses(0)).toEqual([0, 1_000, 3_000, 9_000, 27_000, 30_000, 30_000]);
});
