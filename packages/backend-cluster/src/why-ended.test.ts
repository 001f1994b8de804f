import { expect, test } from "vitest";
import { type JobEnding, unknownEnding } from "./job-ending.ts";
import { tailOf, whyNoSuccess } from "./why-ended.ts";

const CANCELLED = { class: "cancelled", message: "somebody cancelled it" } as const;
const byItself: JobEnding = {
  ...{ nodes: "c1", startedAt: 0, endedAt: 1000, peakMemoryBytes: null, isByItself: true, exit: null },
  failure: () => ({ class: "lost", message: "no record" }),
  interruption: () => null,
};
const cancelled: JobEnding = { ...byItself, isByItself: false, interruption: () => CANCELLED };
const killed: JobEnding = { ...byItself, isByItself: false, exit: "killed" };
const failed: JobEnding = { ...byItself, isByItself: false };
const told: JobEnding = { ...failed, exit: "told-to-end" };
const again: JobEnding = { ...failed, exit: "without-tasks" };
const forgotten = unknownEnding({ class: "lost", message: "nobody knows it" });

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
  ["a launcher that was told to end, and says so by its exit alone", 1, told, "", "interrupted"],
  ["a task that ended long before such a launcher says that it was told", 930, told, "told to end at 945", null],
  ["a job that was started again", 1, again, "given up before it started", "interrupted"],
  ["a task that ended long before its job was told to end, and started again", 930, again, "told to end at 945", null],
  ["a job that the scheduler forgot", 999, forgotten, "", null],
  [
    "a job that the scheduler forgot, and that says that it was told to end",
    999,
    forgotten,
    "told to end at 1000",
    "interrupted",
  ],
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

test("of what a job printed, the end is kept, and that it was told to end", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `t${index}: interrupted: the job was told to end`);
  const printed = ["first", "told to end at 945.25", ...lines].join("\n");
  expect(tailOf(printed, 100_000)).toBe(printed);
  expect(tailOf(printed, 30)).toBe(`told to end at 945.25\n${printed.slice(-30)}`);
  expect(tailOf(lines.join("\n"), 30)).toBe(printed.slice(-30));
});
