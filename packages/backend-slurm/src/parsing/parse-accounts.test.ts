import { expect, test } from "vitest";
import { parseAccounts } from "./parse-accounts.ts";

/** As SLURM 22.05 prints them: a job alone, elements of an array with their steps, one that waits, one that never started. */
const PRINTED = `38|COMPLETED|5|00:00.085||c1|2026-11-16T10:56:14|2026-11-16T10:56:15
38.batch|COMPLETED|5|00:00.085|14936K|c1|2026-11-16T10:56:15|2026-11-16T10:56:15
26_7|COMPLETED|7|00:00.061||c1|2026-11-16T10:54:56|2026-11-16T10:54:56
26_7.batch|COMPLETED|7|00:00.061|14940K|c1|2026-11-16T10:54:56|2026-11-16T10:54:56
26_7.0|COMPLETED|6|1-02:03:04|1.5G|c[1-2]|2026-11-16T10:54:56|2026-11-16T10:54:56
26_[8-9]|PENDING|0|00:00:00||None assigned|2026-11-16T10:54:56|Unknown
40_[1-2]|CANCELLED by 1002|0|00:00:00||None assigned|2026-11-16T10:54:56|Unknown
41|OUT_OF_MEMORY|3|12:03:04||c2|2026-11-16T10:54:56|2026-11-16T10:55:56
`;

test("memory is that of the step that had most of it, the rest is the job's own", () => {
  const accounts = parseAccounts(PRINTED);
  expect(accounts.get("38")).toEqual({
    state: "COMPLETED",
    nodes: "c1",
    waitSeconds: 1,
    wallSeconds: 5,
    cpuSeconds: 0.085,
    peakMemoryBytes: 14936 * 1024,
    receivedBytes: null,
    sentBytes: null,
    starts: null,
  });
  expect(accounts.get("26_7")?.peakMemoryBytes).toBe(1.5 * 2 ** 30);
  expect(accounts.get("41")).toMatchObject({ waitSeconds: 60, cpuSeconds: 43_384, peakMemoryBytes: null });
});

test("what has not ended is not told of, and what never started has neither nodes nor times", () => {
  const accounts = parseAccounts(PRINTED);
  expect([...accounts.keys()]).toEqual(["38", "26_7", "40_1", "40_2", "41"]);
  expect(accounts.get("40_2")).toMatchObject({ state: "CANCELLED by 1002", nodes: null, waitSeconds: null });
});

test("a line that cannot be read says nothing", () => {
  expect(parseAccounts("sacct: error: no connection\n|||\n").size).toBe(0);
});
