import { expect, test } from "vitest";
import { sliceLines, slicesOf, slicesText } from "./slices.ts";

const usage = (wallSeconds: number) => ({ wallSeconds }) as never;
const timeUp = { class: "slice-ended", message: "its time was up", name: null };
const crash = { class: "exit", message: "exit status 3", name: null };
const attempts = [
  { attempt: "train@1", slice: 1, usage: usage(5), failure: timeUp },
  { attempt: "train@2", slice: 2, usage: usage(1), failure: crash },
  { attempt: "train@3", slice: 2, usage: usage(4), failure: timeUp },
  { attempt: "train@4", slice: 3, usage: usage(2), failure: null },
];

test("an attempt that left nothing is no slice of its own, but its time counts", () => {
  expect(slicesOf(attempts).map(({ attempt }) => attempt)).toEqual(["train@1", "train@3", "train@4"]);
  expect(slicesText(attempts)).toBe("3 slices, 12.0s in all");
  expect(sliceLines(attempts)).toEqual([
    "slice 1 (train@1, 5.00s): its time was up",
    "slice 2 (train@3, 4.00s): its time was up",
  ]);
});

test("nothing is said of a task that is done in one piece, resumable or not", () => {
  expect(slicesText([{ attempt: "a@1", slice: 1, usage: usage(5), failure: null }])).toBeUndefined();
  expect(slicesText([{ attempt: "a@1", slice: null, usage: usage(5), failure: crash }])).toBeUndefined();
});
