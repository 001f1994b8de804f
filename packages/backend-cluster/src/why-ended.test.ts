import { expect, test } from "vitest";
import type { JobEnding } from "./job-ending.ts";
import { whyNoSuccess } from "./why-ended.ts";

const CANCELLED = { class: "cancelled", message: "somebody cancelled it" } as const;
const byItself: JobEnding = {
  ...{ nodes: "c1", startedAt: 0, endedAt: 1000, isByItself: true, isKilled: false },
  failure: () => ({ class: "lost", message: "no record" }),
  interruption: () => null,
};
const cancelled: JobEnding = { ...byItself, isByItself: false, interruption: () => CANCELLED };
const killed: JobEnding = { ...byItself, isByItself: false, isKilled: true };
const failed: JobEnding = { ...byItself, isByItself: false };

test.each<[string, number, JobEnding, string, string | null]>([
  ["a job that ended by itself", 999, byItself, "", null],
  ["a job that ended by itself, whatever its tasks printed", 999, byItself, "told to end at 990", null],
  ["a task that ended together with its cancelled job", 999.5, cancelled, "", "cancelled"],
  ["a task that ended after its cancelled job", 1003, cancelled, "", "cancelled"],
  ["a task that ended long before", 985, cancelled, "", null],
  ["a job that was warned long before it was ended", 940, cancelled, "a\ntold to end at 945.25\nb", "cancelled"],
  ["a task that ended long before that", 930, cancelled, "told to end at 945.25", null],
  ["an end of which nobody knows when it was", 1, { ...cancelled, endedAt: null }, "", "cancelled"],
  ["a launcher that was killed", 999, killed, "", "interrupted"],
  ["a launcher that was told to end, and said so", 999, failed, "told to end at 999.5", "interrupted"],
  ["a job that failed for a task of its own", 999, failed, "b: exit: told to end at 3", null],
])("%s", (_what, endedAt, ending, printed, failure) => {
  expect(whyNoSuccess(endedAt, ending, printed, true)?.class ?? null).toBe(failure);
});

test.each(["out-of-memory", "time-limit"] as const)(
  "a task beside which another one met %s does not pay for it",
  (name) => {
    const ending: JobEnding = { ...cancelled, interruption: () => ({ class: name, message: "too much" }) };
    expect(whyNoSuccess(999, ending, "", true)).toEqual({ class: name, message: "too much" });
    expect(whyNoSuccess(999, ending, "", false)).toEqual({ class: "interrupted", message: "too much" });
  },
);
