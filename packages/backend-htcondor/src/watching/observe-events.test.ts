import { cases } from "@wf/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEvents } from "../parsing/parse-events.ts";
import type { PoolEvent } from "../parsing/pool-event.ts";
import { recordedLog, recordedLogs } from "../testing/recording.ts";
import { observeEvents } from "./observe-events.ts";
import { NEWLY_SUBMITTED, type WatchEvent, type WatchedJobs } from "./watched-job.ts";

const eventsOf = (name: string) => parseEvents(recordedLog(name)).events;
const watched = (events: readonly PoolEvent[]): WatchedJobs => new Map(events.map(({ job }) => [job, NEWLY_SUBMITTED]));
const LONG_AFTER_MS = 1e6;

/** What is told of a recorded log that is heard at once, and of the quiet after it. */
function told(name: string): readonly WatchEvent[] {
  const events = eventsOf(name);
  const first = observeEvents(watched(events), events, 0);
  return [...first.events, ...observeEvents(first.jobs, [], LONG_AFTER_MS).events];
}

const inShort = (event: WatchEvent) => (event.type === "ended" ? event.end.how : event.type);

describe("what is told of a job that was", () => {
  test.each([
    ["failed", "waiting running terminated", { exitCode: 5, signal: null, slot: "slot1_1@submit.example.org" }],
    ["signal", "waiting running terminated", { exitCode: null, signal: 9 }],
    ["transferred", "waiting running terminated", { exitCode: 0 }],
    ["removed-by-hand", "waiting running removed", { reason: "via condor_rm (by user condortest)" }],
    ["removed-waiting", "waiting removed", { startedAt: null, slot: null }],
    ["evicted", "waiting running evicted", { isNodeLost: false, reason: "" }],
    ["not-started-twice", "waiting running evicted", { isNodeLost: false }],
    ["shadow-killed", "waiting running evicted", { reason: "it was started again" }],
    ["requeued", "waiting running evicted", { reason: expect.stringContaining("OnExitRemove expression") }],
    ["starter-killed", "waiting running disconnected evicted", { isNodeLost: true }],
    ["startd-killed", "waiting running disconnected evicted", { isNodeLost: true }],
    ["schedd-killed", "waiting running disconnected running terminated", { exitCode: 0 }],
    ["held-by-hand", "waiting running held evicted", { reason: expect.stringContaining("via condor_release") }],
  ])("%s: %s", (name, types, end) => {
    const events = told(name);
    expect(events.map(inShort).join(" ")).toBe(types);
    expect(events.at(-1)).toMatchObject({ type: "ended", end });
  });

  test.each([
    ["memory", 34, true],
    ["no-executable", 6, true],
    ["not-executable", 6, true],
    ["policy", 3, true],
    ["memory-policy", 26, true],
    ["output-missing", 12, true],
    ["output-unwritable", 7, false],
    ["input-unreadable", 13, false],
  ])("held: %s", (name, code, hasStarted) => {
    const slot = hasStarted ? expect.stringMatching(/^slot1_\d@submit\.example\.org$/) : null;
    expect(told(name).at(-1)).toMatchObject({ type: "held", hold: { code }, hasStarted, slot });
  });
});

test("an eviction is told when what follows it tells of nothing else", () => {
  const events = eventsOf("not-started-twice");
  const first = observeEvents(watched(events), events, 1000);
  expect(first.events.map(inShort)).toEqual(["waiting", "running"]);
  expect(first.againAtMs).toBe(3000);
  expect(observeEvents(first.jobs, [], 2999).events).toEqual([]);
  expect(observeEvents(first.jobs, [], 3000).events.map(inShort)).toEqual(["evicted"]);
});

test("where the process that looks after a job fails, the job waits if it had not begun, and has lost its machine if it had", () => {
  const [submitted, started] = eventsOf("running");
  const failed: PoolEvent = {
    ...(submitted as PoolEvent),
    type: "shadow-failed",
    message: "No space left",
    at: 5,
    stamp: "later",
  };
  const heard = (...events: readonly (PoolEvent | undefined)[]) => {
    const first = observeEvents(watched([failed]), events as readonly PoolEvent[], 0);
    return [...first.events, ...observeEvents(first.jobs, [], LONG_AFTER_MS).events];
  };
  expect(heard(submitted, failed).map(inShort)).toEqual(["waiting"]);
  expect(heard(submitted, started, failed).at(-1)).toMatchObject({ end: { how: "evicted", reason: "No space left" } });
});

test("a job that left its machine, and was removed long after that, was sent away", () => {
  const events = eventsOf("removed-by-hand");
  const late = events.map((event) => (event.type === "removed" ? { ...event, at: event.at + 3600 } : event));
  const ends = observeEvents(watched(late), late, 0).events.filter(({ type }) => type === "ended");
  expect(ends).toMatchObject([{ end: { how: "evicted", isNodeLost: false } }]);
});

test("a machine that is lost began to end its job before it was given up: when it was not reached any more", () => {
  const events = eventsOf("startd-killed");
  const cut = events.find(({ type }) => type === "disconnected");
  const [given] = told("startd-killed").filter(({ type }) => type === "ended");
  expect(given).toMatchObject({ end: { how: "evicted", isNodeLost: true, endedAt: cut?.at } });
});

test.each(["released", "removed"] as const)("what is %s long after it was held had been ended by the hold", (type) => {
  const events = eventsOf("held-by-hand");
  const held = events.findIndex((event) => event.type === "held");
  const hold = events[held] as PoolEvent;
  const later = { ...hold, type, reason: "by hand", at: hold.at + 3600, stamp: "later" } as PoolEvent;
  const heard = [...events.slice(0, held + 1), later];
  const ends = observeEvents(watched(heard), heard, 0).events.filter((event) => event.type === "ended");
  expect(ends).toMatchObject([{ end: { endedAt: hold.at } }]);
});

test("jobs that are not watched are nobody's business", () => {
  expect(observeEvents(new Map(), eventsOf("completed"), 0)).toEqual({ jobs: new Map(), events: [], againAtMs: null });
});

const logs = recordedLogs().map((name) => ({ name, events: eventsOf(name) }));

test("however often the log is heard from its beginning, the same follows, and nothing is told twice", () => {
  fc.assert(
    fc.property(fc.constantFrom(...logs), fc.array(fc.nat(20), { maxLength: 5 }), ({ events }, prefixes) => {
      const all = watched(events);
      const once = observeEvents(all, events, 0);
      let jobs = all;
      const heard: WatchEvent[] = [];
      for (const length of [...prefixes, events.length, ...prefixes]) {
        const observed = observeEvents(jobs, events.slice(0, length), 0);
        jobs = observed.jobs;
        heard.push(...observed.events);
      }
      expect(jobs).toEqual(once.jobs);
      expect(heard).toEqual(once.events);
    }),
  );
});

test("however the lines of several jobs are mixed, the same follows for each", () => {
  const apart = logs.map(({ events }, index) => events.map((event) => ({ ...event, job: `${index}/${event.job}` })));
  const expected = observeEvents(watched(apart.flat()), apart.flat(), 0);
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(apart.length - 1)), (choices) => {
      const left = apart.map((events) => [...events]);
      const mixed: PoolEvent[] = [];
      for (const choice of choices.take(500)) {
        const next = left[choice]?.shift();
        if (next !== undefined) mixed.push(next);
      }
      mixed.push(...left.flat());
      expect(observeEvents(watched(mixed), mixed, 0).jobs).toEqual(expected.jobs);
    }),
    cases(30),
  );
});
