import { describe, expect, test } from "vitest";
import { parseEvents } from "../parsing/parse-events.ts";
import { type JobRow, parseRows } from "../parsing/parse-rows.ts";
import type { PoolEvent } from "../parsing/pool-event.ts";
import { recordedLog, recording } from "../testing/recording.ts";
import { observeEvents } from "./observe-events.ts";
import { observeRows } from "./observe-rows.ts";
import { NEWLY_SUBMITTED, type WatchedJobs } from "./watched-job.ts";

const rows = (name: string) => parseRows(recording(name)) ?? [];
const watched = (rows: readonly JobRow[]): WatchedJobs => new Map(rows.map(({ job }) => [job, NEWLY_SUBMITTED]));

test.each([
  ["running.condor_q", { type: "running", slot: "slot1_1@submit.example.org" }],
  ["waiting.condor_q", { type: "waiting" }],
  ["memory.condor_q", { type: "held", hold: { code: 34 }, hasStarted: true }],
  ["input-unreadable.condor_q", { type: "held", hold: { code: 13 }, hasStarted: false }],
  ["not-started-twice.condor_q", { type: "ended", end: { how: "evicted", isNodeLost: false } }],
])("where the log was lost, the queue tells: %s", (name, expected) => {
  const queue = rows(name);
  expect(observeRows(watched(queue), { nowMs: 0, queue, history: null }).events).toMatchObject([expected]);
});

test.each([
  [
    "failed.condor_history",
    { how: "terminated", exitCode: 5, startedAt: expect.any(Number), endedAt: expect.any(Number) },
  ],
  ["signal.condor_history", { how: "terminated", exitCode: null, signal: 9 }],
  ["removed-by-hand.condor_history", { how: "removed", reason: "via condor_rm (by user condortest)" }],
])("of what left the queue, the history tells: %s", (name, end) => {
  const history = rows(name);
  expect(observeRows(watched(history), { nowMs: 0, queue: [], history }).events).toMatchObject([
    { type: "ended", end },
  ]);
});

test("a job of the history that was started twice was ended before its end, and nobody knows when", () => {
  const history = rows("failed.condor_history").map((row): JobRow => ({ ...row, starts: 2 }));
  expect(observeRows(watched(history), { nowMs: 0, queue: [], history }).events).toMatchObject([
    { type: "ended", end: { how: "evicted", endedAt: null } },
  ]);
});

test("the log goes before a row that tells of nothing newer", () => {
  const log = parseEvents(recordedLog("memory")).events;
  const queue = rows("memory.condor_q");
  const { jobs } = observeEvents(watched(queue), log, 0);
  const stale = queue.map((row): JobRow => ({ ...row, status: "running", hold: null, since: (row.since ?? 0) - 5 }));
  expect(observeRows(jobs, { nowMs: 0, queue: stale, history: null })).toMatchObject({ events: [], missed: [] });
  expect(observeRows(jobs, { nowMs: 0, queue, history: null }).events).toEqual([]);
});

describe("a job that starts in the second in which it was submitted", () => {
  const events = parseEvents(recordedLog("failed")).events;
  const untilSubmitted = events.slice(0, 1);
  const [{ job, at }] = untilSubmitted as [PoolEvent];
  const [running] = rows("running.condor_q") as [JobRow];
  const queue: JobRow[] = [{ ...running, job, since: at, startedAt: at, starts: 1 }];
  const submitted = observeEvents(new Map([[job, NEWLY_SUBMITTED]]), untilSubmitted, 0).jobs;

  test("is told to run by the queue, where the log does not say it", () => {
    expect(observeRows(submitted, { nowMs: 0, queue, history: null }).events).toMatchObject([{ type: "running", job }]);
  });

  test("was not started again where the log says it after the queue", () => {
    const { jobs } = observeRows(submitted, { nowMs: 0, queue, history: null });
    const after = observeEvents(jobs, events, 0);
    expect(after.events).toMatchObject([{ type: "ended", end: { how: "terminated", exitCode: 5 } }]);
  });
});

test("absence is unknown until both were asked for long", () => {
  const nothing = { queue: [], history: [] };
  const jobs: WatchedJobs = new Map([["7.0", NEWLY_SUBMITTED]]);
  const first = observeRows(jobs, { nowMs: 0, queue: [], history: null });
  expect(first.missed).toEqual(["7.0"]);
  const second = observeRows(first.jobs, { nowMs: 19_999, ...nothing });
  expect(second.events).toEqual([]);
  expect(observeRows(second.jobs, { nowMs: 20_000, ...nothing }).events).toMatchObject([
    { type: "ended", job: "7.0", end: { how: "unknown" } },
  ]);
});

test("who does not answer misses nothing, however long", () => {
  const jobs: WatchedJobs = new Map([["7.0", NEWLY_SUBMITTED]]);
  const silent = observeRows(jobs, { nowMs: 1e6, queue: null, history: null });
  expect(silent).toEqual({ jobs, events: [], missed: [] });
  const half = observeRows(observeRows(jobs, { nowMs: 0, queue: [], history: null }).jobs, {
    nowMs: 1e6,
    queue: [],
    history: null,
  });
  expect([half.events, half.missed]).toEqual([[], ["7.0"]]);
});

test("what is about to be removed has not ended yet", () => {
  const [row] = rows("removed-by-hand.condor_history");
  const queue = [row as JobRow];
  expect(observeRows(watched(queue), { nowMs: 0, queue, history: null })).toMatchObject({ events: [], missed: [] });
});

test("that a job was submitted on hold is told by the queue alone, and not after it was released", () => {
  const [row] = rows("waiting.condor_q");
  const hold = { code: 15, subcode: 0, reason: "submitted on hold at user's request" };
  const held: JobRow = { ...(row as JobRow), status: "held", hold };
  const latestAt = held.since ?? 0;
  const job = { ...NEWLY_SUBMITTED, known: { phase: "waiting" }, latestAt } as const;
  const look = (heard: ReadonlySet<string>) =>
    observeRows(new Map([[held.job, { ...job, heard }]]), { nowMs: 0, queue: [held], history: null }).events;
  expect(look(new Set(["submitted@t1"]))).toMatchObject([{ type: "held", hold }]);
  expect(look(new Set(["submitted@t1", "released@t1"]))).toEqual([]);
});
