import { expect, test } from "vitest";
import { recording } from "../testing/recording.ts";
import { parseRows, ROW_ATTRIBUTES } from "./parse-rows.ts";

const rows = (name: string) => parseRows(recording(name));

test.each([
  ["running.condor_q", { status: "running", starts: 1, hold: null, completedAt: null }],
  ["waiting.condor_q", { status: "waiting", starts: 0, slot: null, startedAt: null }],
  ["memory.condor_q", { status: "held", hold: { code: 34, subcode: 0 } }],
  ["held-by-hand.condor_q", { status: "held", hold: { code: 1, reason: "the disk is full (by user condortest)" } }],
  ["failed.condor_history", { status: "completed", exitCode: 5, signal: null, starts: 1 }],
  ["signal.condor_history", { status: "completed", exitCode: null, signal: 9 }],
  ["removed-by-hand.condor_history", { status: "removed", removeReason: "via condor_rm (by user condortest)" }],
  ["evicted.condor_q", { status: "running", shadowStarts: 2 }],
  ["not-started-twice.condor_q", { status: "waiting", starts: 1 }],
])("%s", (name, expected) => {
  expect(rows(name)).toMatchObject([{ ...expected, job: expect.stringMatching(/^\d+\.0$/) }]);
});

test("several jobs, by their numbers and their token", () => {
  const both = rows("completed.condor_history") ?? [];
  expect(both.map(({ job, token }) => [job.split(".")[1], token])).toEqual([
    ["1", "token-completed"],
    ["0", "token-completed"],
  ]);
});

test("numbers of a job that worked", () => {
  const [row] = rows("used.condor_history") ?? [];
  expect(row?.userSeconds).toBeGreaterThanOrEqual(1);
  expect(row?.residentBytes).toBeGreaterThan(40e6);
  expect(row?.wallSeconds).toBeGreaterThanOrEqual(6);
  expect(rows("transferred.condor_history")).toMatchObject([{ bytesOut: 5004 }]);
});

test("no job is none; no answer is unknown", () => {
  expect(rows("nothing.condor_q")).toEqual([]);
  expect(parseRows({ code: 0, stdout: "" })).toEqual([]);
  expect(rows("schedd-down.condor_q")).toBeNull();
  expect(parseRows({ code: null, stdout: "" })).toBeNull();
  expect(parseRows({ code: 0, stdout: '[\n{ "ClusterId": 5' })).toBeNull();
});

test("what HTCondor has not worked out is unknown", () => {
  const odd = [{ ClusterId: 7, ProcId: 0, JobStatus: "\\/Expr(x)\\/", NumJobStarts: "two", RemoteUserCpu: "x" }];
  expect(parseRows({ code: 0, stdout: JSON.stringify(odd) })).toMatchObject([
    { job: "7.0", status: "unknown", starts: 0, userSeconds: null, slot: null },
  ]);
});

test("what the recordings were asked for is what is asked for", () => {
  const asked = recording("used.condor_history").command;
  for (const attribute of ROW_ATTRIBUTES) expect(asked).toContain(attribute);
});
