import { expect, test } from "vitest";
import { adoptElements, fateOf } from "./adopt-elements.ts";
import type { LookReply } from "./login-node.ts";

const entry = (...attempts: string[]) => ({
  job: `job-${attempts[0]}`,
  tasks: attempts.map((attempt) => ({ task: attempt, attempt })),
});
const jobName = (id: string, index: number, siblings: number) => `${id}_${index} of ${siblings}`;

const looked: LookReply = {
  attempts: {
    "done@1": { isRecorded: true, token: "t1", index: 0 },
    "left@1": { isRecorded: false, token: "t1", index: 0 },
    "also@1": { isRecorded: false, token: "t1", index: 0 },
    "other@1": { isRecorded: false, token: "t1", index: 1 },
    "mailed@1": { isRecorded: false, isMailed: true },
    "new@1": { isRecorded: false },
    "not-got@1": { isRecorded: false, token: "t2", index: 0 },
  },
  submissions: { t1: { id: "7", elements: [entry("done@1", "left@1", "also@1"), entry("other@1")] } },
  pilots: {},
};

test("the attempts of a job are one element with it, also those that have their records", () => {
  const elements = adoptElements(["done@1", "left@1", "also@1", "other@1"], looked, jobName);
  expect(elements.map(({ unfinished, taken }) => [[...unfinished], taken?.job ?? null])).toEqual([
    [["done@1", "left@1", "also@1"], "7_0 of 2"],
    [["other@1"], "7_1 of 2"],
  ]);
  expect(elements[0]).toMatchObject({ token: "t1", index: 0, siblings: 2, entry: { job: "job-done@1" } });
});

test.each([
  ["done@1", "finished"],
  ["left@1", "running"],
  ["mailed@1", "running"],
  ["new@1", "never-submitted"],
  ["not-got@1", "never-submitted"],
  ["nobody-knows@1", "never-submitted"],
])("%s: %s", (attempt, fate) => {
  expect(fateOf(attempt, looked, true)).toBe(fate);
});

test("where there are no pilots any more, what was left for them was never submitted", () => {
  expect(fateOf("mailed@1", looked, false)).toBe("never-submitted");
});
