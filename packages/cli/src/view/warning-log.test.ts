import { finished, step } from "@wf/run/testing";
import { expect, it } from "vitest";
import { WarningLog } from "./warning-log.ts";

it("tells the first warning of a task, on one line, and how many more there are", () => {
  const log = new WarningLog();
  expect(log.note(finished(step("train"), { warnings: ["metrics line 3: no JSON: a\nb"] }))).toBe(
    "train: metrics line 3: no JSON: a\\nb",
  );
  expect(log.note(finished(step("train", 1), { warnings: ["a", "b", "c"] }))).toBe(
    "train.1: a, and 2 more warnings: wf show train.1",
  );
});

it("says nothing where all reports made sense", () => {
  const log = new WarningLog();
  expect(log.note(finished(step("train")))).toBeUndefined();
  expect(log.rest("demo-1-abcd")).toEqual([]);
});

it("tells the first tasks singly and counts the rest", () => {
  const log = new WarningLog();
  const told = Array.from({ length: 100 }, (_, i) => log.note(finished(step("train", i), { warnings: ["a"] })));
  expect(told.filter((line) => line !== undefined)).toHaveLength(5);
  expect(log.rest("demo-1-abcd")).toEqual(["95 more tasks reported what makes no sense: wf show demo-1-abcd TASK"]);
});
