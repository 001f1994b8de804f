import { finished, step } from "@wf/run/testing";
import { expect, it } from "vitest";
import { UndeclaredLog } from "./undeclared-log.ts";

it("names the task and the first of its files, on one line", () => {
  const undeclared = [
    { path: "core", size: 5 },
    { path: "a b/two\nlines", size: 2000 },
    { path: "c", size: 0 },
    { path: "d", size: 0 },
  ];
  expect(new UndeclaredLog().note(finished(step("train", 3), { undeclared }))).toBe(
    "train.3 wrote 4 files that it does not declare: core (5 B), a b/two\\nlines (2.00 kB), c (0 B), …. Declare as outputs what you want to keep",
  );
});

it("says nothing where all is declared", () => {
  const log = new UndeclaredLog();
  expect(log.note(finished(step("train")))).toBeUndefined();
  expect(log.rest("demo-1-abcd")).toEqual([]);
});

it("tells the first tasks singly and counts the rest", () => {
  const log = new UndeclaredLog();
  const undeclared = [{ path: "core", size: 5 }];
  const told = Array.from({ length: 1000 }, (_, i) => log.note(finished(step("train", i), { undeclared })));
  expect(told.filter((line) => line !== undefined)).toHaveLength(5);
  expect(log.rest("demo-1-abcd")).toEqual([
    "995 more tasks wrote files that they do not declare: wf show demo-1-abcd TASK",
  ]);
});
