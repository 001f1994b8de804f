import { describe, expect, test } from "vitest";
import { parseEvents } from "../parsing/parse-events.ts";
import { recordedLog } from "../testing/recording.ts";
import { observeEvents } from "../watching/observe-events.ts";
import { NEWLY_SUBMITTED } from "../watching/watched-job.ts";
import { exitOf, failureOfEnd } from "./failure-of-end.ts";
import type { JobEnd } from "./job-end.ts";

/** How a recorded job ended, where its hold is taken for the end. */
function recordedEnd(name: string): JobEnd {
  const { events } = parseEvents(recordedLog(name));
  const first = observeEvents(new Map(events.map(({ job }) => [job, NEWLY_SUBMITTED])), events, 0);
  const last = [...first.events, ...observeEvents(first.jobs, [], 1e6).events].at(-1);
  if (last?.type === "ended") return last.end;
  if (last?.type === "held") return { how: "held", hold: last.hold, slot: null, startedAt: null, endedAt: null };
  throw new Error(`${name} has not ended`);
}

describe("a job that left no record and", () => {
  test.each([
    ["failed", "lost", "exit code 5, slot1_1@submit.example.org"],
    ["completed", "lost", "ended well, but left no record"],
    ["signal", "lost", "signal 9"],
    ["removed-by-hand", "cancelled", "via condor_rm (by user condortest)"],
    ["evicted", "preempted", "had to leave its machine"],
    ["starter-killed", "node-failed", "Job not found at execution machine"],
    ["startd-killed", "node-failed", "JobLeaseDuration"],
    ["memory", "out-of-memory", "over cgroup memory limit of 128 megabytes"],
    ["no-executable", "not-started", "[hold 6.2]"],
    ["output-unwritable", "not-started", "as standard output"],
    ["input-unreadable", "stage-in", "Permission denied"],
    ["output-missing", "lost", "[hold 12.2]"],
    ["policy", "interrupted", "too long"],
  ])("%s: %s, and HTCondor's own words are kept", (name, failure, words) => {
    const found = failureOfEnd(recordedEnd(name), "");
    expect(found.class).toBe(failure);
    expect(found.message).toContain(words);
  });
});

const ended = { how: "terminated", exitCode: 1, signal: null, slot: null, startedAt: null, endedAt: null } as const;

test.each([
  [75, "cancelled"],
  [76, "node-failed"],
  [126, "not-started"],
  [127, "not-started"],
  [1, "lost"],
])("a script that ended with %i: %s", (exitCode, failure) => {
  expect(failureOfEnd({ ...ended, exitCode }, "")).toMatchObject({ class: failure });
});

test.each([
  [0, null],
  [1, null],
  [75, "without-tasks"],
  [76, "without-tasks"],
  [78, "told-to-end"],
  [127, "without-tasks"],
])("what the exit of a job with %i says: %s", (exitCode, exit) => {
  expect(exitOf({ ...ended, exitCode })).toBe(exit);
});

test("what the exit of a job says that a signal ended, and of one that HTCondor ended", () => {
  expect(exitOf({ ...ended, exitCode: null, signal: 9 })).toBe("killed");
  expect(exitOf({ ...ended, how: "removed", reason: "" })).toBeNull();
});

test("a kill is blamed on memory where the job's output says so", () => {
  const killed: JobEnd = { ...ended, exitCode: null, signal: 9 };
  expect(failureOfEnd(killed, "Out of memory: Killed process 5")).toMatchObject({ class: "out-of-memory" });
  expect(failureOfEnd(killed, "all was well")).toMatchObject({ class: "lost" });
});

test("a machine that does not see the storage is said to be one", () => {
  const reason =
    "Error from slot1_2@vm: Failed to execute '/home/me/wf/runs/r1/submissions/t1/script' with arguments 0: Cannot access initial working directory \"/home/me/wf/runs/r1/submissions/t1\" (errno=2: 'No such file or directory')";
  const hold = { code: 6, subcode: 2, reason };
  const held: JobEnd = { how: "held", hold, slot: "slot1_2@vm", startedAt: null, endedAt: null };
  expect(failureOfEnd(held, "")).toMatchObject({
    class: "not-started",
    message: expect.stringMatching(/does not see the storage.*\[hold 6\.2\]/),
  });
});

test.each([
  [
    { code: 7, subcode: 13 },
    "not-started",
    "Error from slot1_1@vm: Failed to open '/home/me/wf/runs/r1/submissions/t1/output/0.txt' as standard output: Permission denied (errno 13)",
  ],
  [
    { code: 12, subcode: 13 },
    "lost",
    "Error from slot1_1@vm: STARTER at 127.0.0.1 failed to send file(s); SHADOW at 127.0.0.1 failed to create directory /home/me/wf/runs/r1/submissions/t1/returned/0: Permission denied (errno 13)",
  ],
])("a storage that the user of a job may not use (hold %o)", (codes, name, reason) => {
  const hold = { ...codes, reason };
  const held: JobEnd = { how: "held", hold, slot: "slot1_1@vm", startedAt: null, endedAt: null };
  expect(failureOfEnd(held, "")).toMatchObject({
    class: name,
    message: expect.stringMatching(/may not use the storage of the site: .* in sites\.yaml \(.*Permission denied/),
  });
});

test("a program that may not be executed is not the storage's fault", () => {
  const hold = {
    code: 6,
    subcode: 13,
    reason: "Failed to execute '/opt/sh' with arguments 0: Permission denied (errno=13)",
  };
  const held: JobEnd = { how: "held", hold, slot: null, startedAt: null, endedAt: null };
  expect(failureOfEnd(held, "").message).toMatch(/^its job could not be started \(.*\[hold 6\.13\]\)$/);
});

test("a job of which nobody knows", () => {
  const gone: JobEnd = { how: "unknown", slot: null, startedAt: null, endedAt: null };
  expect(failureOfEnd(gone, "")).toMatchObject({ class: "lost", message: expect.stringContaining("neither") });
});
