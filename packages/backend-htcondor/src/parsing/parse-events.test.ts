import { expect, test } from "vitest";
import { recordedLog, recordedLogs } from "../testing/recording.ts";
import { INFORMATION_ATTRIBUTES, parseEvents } from "./parse-events.ts";

const typesOf = (name: string) =>
  parseEvents(recordedLog(name))
    .events.map(({ type }) => type)
    .filter((type) => type !== "image-size")
    .join(" ");

test.each([
  ["completed", "submitted submitted started started terminated terminated"],
  ["transferred", "submitted transfer transfer started transfer transfer terminated"],
  ["evicted", "submitted started evicted started"],
  ["held-by-hand", "submitted started evicted held released started terminated"],
  ["removed-by-hand", "submitted started evicted removed"],
  ["removed-waiting", "submitted removed"],
  ["memory", "submitted started remote-error evicted held"],
  ["no-executable", "submitted started remote-error evicted held"],
  ["output-unwritable", "submitted released remote-error evicted held"],
  ["policy", "submitted started held"],
  ["requeued", "submitted started evicted started terminated"],
])("the log of a job that was %s", (name, types) => {
  expect(typesOf(name)).toBe(types);
});

const find = (name: string, type: string) => parseEvents(recordedLog(name)).events.find((event) => event.type === type);

test("what events say", () => {
  expect(find("failed", "terminated")).toMatchObject({ exitCode: 5, signal: null });
  expect(find("signal", "terminated")).toMatchObject({ exitCode: null, signal: 9 });
  expect(find("transferred", "terminated")).toMatchObject({ bytesOut: 5004 });
  expect(find("completed", "started")).toMatchObject({ slot: "slot1_1@submit.example.org" });
  expect(find("memory", "held")).toMatchObject({ hold: { code: 34, subcode: 0 } });
  expect(find("memory", "held")).toHaveProperty("hold.reason", expect.stringContaining("over cgroup memory limit"));
  expect(find("requeued", "evicted")).toHaveProperty("reason", expect.stringContaining("OnExitRemove expression"));
  expect(find("policy", "held")).toMatchObject({ hold: { code: 3, subcode: 42, reason: "too long" } });
  expect(find("removed-by-hand", "removed")).toMatchObject({ reason: "via condor_rm (by user condortest)" });
  expect(find("held-by-hand", "released")).toMatchObject({ reason: "via condor_release (by user condortest)" });
  expect(find("no-executable", "remote-error")).toHaveProperty("message", expect.stringContaining("Failed to execute"));
});

test("each event that the submit host writes has what the job's ad says", () => {
  for (const name of recordedLogs()) {
    for (const { type, information } of parseEvents(recordedLog(name)).events) {
      if (type === "remote-error") continue;
      expect(information, `${name}: ${type}`).toMatchObject({ token: `token-${name}`, starts: expect.any(Number) });
    }
  }
});

test("what was asked for is what is read", () => {
  const names = new Set([...recordedLog("held-by-hand").matchAll(/<a n="(\w+)">/g)].map(([, name]) => name));
  expect(INFORMATION_ATTRIBUTES.filter((attribute) => !names.has(attribute))).toEqual([]);
});

const event = (number: number, time: string, more = "") =>
  `<c>\n<a n="Cluster"><i>7</i></a>\n<a n="Proc"><i>0</i></a>\n<a n="EventTypeNumber"><i>${number}</i></a>\n<a n="EventTime"><s>${time}</s></a>\n${more}</c>\n`;
const information = (trigger: number, time: string, more: string) =>
  event(28, time, `<a n="TriggerEventTypeNumber"><i>${trigger}</i></a>\n${more}`);
const NOON_UTC = Date.UTC(2026, 6, 1, 12) / 1000;

test("times are in the zone of the submit host, which the ad's own times tell", () => {
  const log = `${event(0, "2026-07-01T14:00:02.500")}${information(0, "2026-07-01T14:00:02.500", `<a n="QDate"><i>${NOON_UTC}</i></a>\n`)}${event(1, "2026-07-01T14:00:03")}`;
  const { events, utcOffsetSeconds } = parseEvents(log);
  expect(events.map(({ at }) => at)).toEqual([NOON_UTC + 2.5, NOON_UTC + 3]);
  expect(utcOffsetSeconds).toBe(7200);
  expect(parseEvents(event(5, "2026-07-01T14:00:04"), utcOffsetSeconds).events[0]?.at).toBe(NOON_UTC + 4);
});

test("a time with a zone is taken at its word", () => {
  expect(parseEvents(event(1, "2026-07-01T12:00:00Z"), 7200).events[0]?.at).toBe(NOON_UTC);
});

test("the ad's word on an event that is in another piece of the log is kept", () => {
  const [first, second] = [event(1, "2026-07-01T12:00:00"), information(1, "2026-07-01T12:00:00", "")];
  expect(parseEvents(first + second).events.map(({ type }) => type)).toEqual(["started"]);
  expect(parseEvents(second).events).toMatchObject([
    { type: "information", job: "7.0", information: { starts: null } },
  ]);
});

test("a process on the submit host that looked after a job and failed says why", () => {
  const log = event(7, "2026-07-01T12:00:00", '<a n="Message"><s>No space left on device</s></a>\n');
  expect(parseEvents(log).events).toMatchObject([{ type: "shadow-failed", message: "No space left on device" }]);
});

test("events that are not known are kept, and what is no event is not", () => {
  const log = event(99, "2026-07-01T12:00:00", '<a n="MyType"><s>NewEvent</s></a>\n') + event(1, "yesterday");
  expect(parseEvents(log).events).toMatchObject([{ type: "other", number: 99, name: "NewEvent" }]);
});
