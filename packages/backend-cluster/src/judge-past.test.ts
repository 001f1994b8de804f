import { expect, test } from "vitest";
import type { JobEnding } from "./job-ending.ts";
import { judgePast } from "./judge-past.ts";

const byItself: JobEnding = {
  ...{ nodes: "c1", startedAt: 1000, endedAt: 1100, peakMemoryBytes: null, isByItself: true, exit: null },
  failure: () => ({ class: "lost", message: "no record" }),
  interruption: () => null,
};
const preempted: JobEnding = {
  ...byItself,
  isByItself: false,
  interruption: () => ({ class: "preempted", message: "it made room" }),
};
const success = { startedAt: 1001, endedAt: 1099, isAlone: true };

test.each<[string, readonly JobEnding[], string]>([
  ["a job that nobody knows any more", [], "unknown"],
  ["a job that ended by itself", [byItself], "stands"],
  ["a job that was ended from outside", [preempted], "revoked"],
  ["a job that was ended long after", [{ ...preempted, endedAt: 1200 }], "stands"],
  ["another job by the same number, long before", [{ ...preempted, startedAt: 100, endedAt: 200 }], "unknown"],
  ["another job by the same number, long after", [{ ...preempted, startedAt: 5000, endedAt: 5100 }], "unknown"],
  [
    "a job that was started again, and then ended well",
    [preempted, { ...byItself, startedAt: 1300, endedAt: 1400 }],
    "revoked",
  ],
  [
    "a job that was preempted before the task began",
    [{ ...preempted, startedAt: 700, endedAt: 800 }, byItself],
    "stands",
  ],
  ["a job that was told to end at its end", [{ ...byItself, isByItself: false, exit: "told-to-end" }], "revoked"],
  [
    "a job that was told to end long after it",
    [{ ...byItself, endedAt: 1200, isByItself: false, exit: "told-to-end" }],
    "stands",
  ],
])("a success of %s", (_what, lives, verdict) => {
  expect(judgePast(success, lives).type).toBe(verdict);
});

test("says how the job was ended, and when", () => {
  expect(judgePast(success, [preempted])).toEqual({
    type: "revoked",
    failure: { class: "preempted", message: "it made room" },
    jobEndedAt: 1100,
  });
});
