import { describe, expect, test } from "vitest";
import { parseSacct } from "../parsing/parse-sacct.ts";
import { recording, VERSIONS } from "../testing/recording.ts";
import { endedByItself, exitOf, failureOfEnd, failureOfInterruption } from "./failure-of-end.ts";
import { endFromAccounting, type JobEnd } from "./job-end.ts";

const RECORDED = ["jobid", "jobidraw", "jobname", "state", "exitcode", "start", "end", "nodelist", "reason"];

describe.each(VERSIONS)("what %s says of a job that left no record", (version) => {
  test.each([
    ["oom", "out-of-memory", "OUT_OF_MEMORY, exit code 0:125"],
    ["timeout", "time-limit", "TIMEOUT"],
    ["preempted", "preempted", "PREEMPTED"],
    ["node-fail", "node-failed", "NODE_FAIL"],
    ["cancelled-running", "cancelled", "by user 1002 (CANCELLED by 1002"],
    ["deadline", "not-started", "DEADLINE"],
    ["noout", "not-started", "exit code 0:53"],
    ["signal9", "lost", "exit code 0:9"],
    ["completed", "lost", "COMPLETED"],
  ])("%s: %s, and its own words are kept", (name, failure, words) => {
    const row = parseSacct(recording(version, `${name}.sacct-x`).stdout, RECORDED).at(-1);
    const found = failureOfEnd(endFromAccounting(row as never), "");
    expect(found.class).toBe(failure);
    expect(found.message).toContain(words);
  });
});

const killed: JobEnd = {
  state: "failed",
  words: "FAILED",
  reason: "None",
  exitCode: 0,
  signal: 9,
  nodes: "c1",
  startedAt: null,
  endedAt: null,
  peakMemoryBytes: null,
};

test.each([
  ["slurmstepd: error: StepId=5.batch exceeded memory limit (66551808 > 41943040), being killed"],
  [
    "slurmstepd-c1: error: Detected 1 oom-kill event(s) in StepId=12.batch. Some of your processes may have been killed",
  ],
  ["slurmstepd-c2: error: Detected 1 oom_kill event in StepId=12.batch. Some of the step tasks have been OOM Killed."],
])("a kill is blamed on memory where the job's output says so: %s", (printed) => {
  expect(failureOfEnd(killed, printed)).toMatchObject({ class: "out-of-memory" });
  expect(failureOfEnd(killed, "all was well")).toMatchObject({ class: "lost" });
});

test.each([
  [75, "cancelled"],
  [76, "node-failed"],
  [126, "not-started"],
  [127, "not-started"],
  [1, "lost"],
])("a script that ended with %i: %s", (exitCode, failure) => {
  expect(failureOfEnd({ ...killed, signal: 0, exitCode }, "")).toMatchObject({ class: failure });
});

test("a kill is blamed on memory where SLURM gives that as the reason", () => {
  expect(failureOfEnd({ ...killed, reason: "OutOfMemory" }, "")).toMatchObject({ class: "out-of-memory" });
});

test("a job that SLURM refused after all", () => {
  expect(failureOfEnd({ ...killed, reason: "BadConstraints", exitCode: 1, signal: 0 }, "")).toMatchObject({
    class: "not-started",
  });
});

test("a job that was told to end: SLURM's state says why, unless it is only that of its script", () => {
  expect(failureOfInterruption({ ...killed, state: "timed-out", words: "TIMEOUT" }, "")).toMatchObject({
    class: "time-limit",
  });
  expect(failureOfInterruption({ ...killed, state: "preempted", words: "PREEMPTED" }, "")).toMatchObject({
    class: "preempted",
  });
  expect(failureOfInterruption(killed, "")).toBeNull();
  expect(failureOfInterruption({ ...killed, state: "completed", words: "COMPLETED" }, "")).toBeNull();
});

const failed: JobEnd = { ...killed, exitCode: 1, signal: 0, startedAt: 100, endedAt: 200 };

test.each<[string, Partial<JobEnd>, string | null, boolean]>([
  ["has completed", { state: "completed", exitCode: 0 }, null, true],
  ["failed for a task of its own", {}, null, true],
  ["failed, as far as the queue says", { exitCode: null, signal: null, startedAt: null, endedAt: null }, null, false],
  ["was killed", { exitCode: 0, signal: 9 }, "killed", false],
  ["was told to end", { exitCode: 78 }, "told-to-end", false],
  ["was started again", { exitCode: 75 }, "without-tasks", false],
  ["was started again, on a node that cannot be used", { exitCode: 76 }, "without-tasks", false],
  ["was started again, on a node without python", { exitCode: 127 }, "without-tasks", false],
  ["was to be started again, and was cancelled", { state: "cancelled", startedAt: null }, "without-tasks", false],
  ["was cancelled", { state: "cancelled", signal: 15 }, null, false],
])("a job that %s: what its exit says", (_what, end, exit, isByItself) => {
  expect(exitOf({ ...failed, ...end })).toBe(exit);
  expect(endedByItself({ ...failed, ...end })).toBe(isByItself);
});
