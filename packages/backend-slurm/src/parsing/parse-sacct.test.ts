import { describe, expect, test } from "vitest";
import { largeRecordings, recording, recordings, VERSIONS } from "../testing/recording.ts";
import { showJobId } from "./job-id.ts";
import { parseSacct } from "./parse-sacct.ts";

const RECORDED = ["jobid", "jobidraw", "jobname", "state", "exitcode", "start", "end", "nodelist", "reason"];

describe.each(VERSIONS)("%s", (version) => {
  const rows = (name: string) => parseSacct(recording(version, `${name}.sacct-x`).stdout, RECORDED);

  test.each([
    ["completed", { state: "completed", exitCode: 0, signal: 0 }],
    ["signal9", { state: "failed", exitCode: 0, signal: 9 }],
    ["noout", { state: "failed", exitCode: 0, signal: 53 }],
    ["oom", { state: "out-of-memory", exitCode: 0, signal: 125 }],
    ["cancelled-running", { state: "cancelled", words: "CANCELLED by 1002" }],
    ["timeout", { state: "timed-out" }],
    ["node-fail", { state: "node-failed", nodes: "c2" }],
    ["preempted", { state: "preempted" }],
    ["deadline", { state: "deadline", startedAt: null, nodes: "" }],
  ])("%s", (name, row) => {
    expect(rows(name).at(-1)).toMatchObject(row);
  });

  test("an array: its elements, and the rest as one row", () => {
    const array = rows("array20");
    expect(array.filter(({ state }) => state === "failed").map(({ jobs }) => jobs.map(showJobId))).toEqual([["31_2"]]);
    expect(array.at(-1)?.state).toBe("waiting");
    expect(array.at(-1)?.jobs.length).toBeGreaterThan(9);
    expect(rows("array-pending-cancelled")[0]?.jobs).toHaveLength(10);
  });

  test("a job that was started again has a row for each of its lives", () => {
    expect(rows("memcpu").map(({ state }) => state)).toEqual(["node-failed", "completed"]);
  });

  test("times are those of UTC", () => {
    const [row] = rows("completed");
    expect((row?.endedAt as number) - (row?.startedAt as number)).toBe(2);
    expect(new Date((row?.startedAt as number) * 1000).toISOString()).toMatch(/^2026-11-16T02:49:/);
  });

  test("a name with a newline in it breaks no other row", () => {
    expect(rows("weird-newline")).toEqual([]);
  });
});

test("the memory of a job is the most of its steps, in each of its lives", () => {
  const row = (id: string, state: string, memory: string) =>
    `${id}|${state}|0:0|2026-11-16T02:00:00|2026-11-16T02:00:01|2026-11-16T02:00:02|c1|None|${memory}\n`;
  const text = [
    row("7", "NODE_FAIL", "") + row("7.batch", "CANCELLED", "100K"),
    row("7", "FAILED", "") + row("7.batch", "CANCELLED by 0", "357856K") + row("7.0", "COMPLETED", "2M"),
    row("8_[1-2]", "PENDING", "") + row("9_3", "COMPLETED", "") + row("9_3.batch", "COMPLETED", ""),
    row("77.batch", "COMPLETED", "5G"),
  ].join("");
  expect(parseSacct(text).map(({ state, peakMemoryBytes }) => [state, peakMemoryBytes])).toEqual([
    ["node-failed", 100 * 2 ** 10],
    ["failed", 357_856 * 2 ** 10],
    ["waiting", null],
    ["completed", null],
  ]);
});

const large = largeRecordings();
test.skipIf(large === null)("every state that was recorded is known (WF_TEST_CLUSTERS)", () => {
  const rows = VERSIONS.flatMap((version) => recordings(version, large as string, /\.sacct-x$/)).flatMap(({ stdout }) =>
    parseSacct(stdout, RECORDED),
  );
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ state }) => state === null)).toEqual([]);
});
