import { expect, test } from "vitest";
import { parseEvents } from "../parsing/parse-events.ts";
import { recordedLog } from "../testing/recording.ts";
import { classifyHold } from "./classify-hold.ts";

function recordedHold(name: string) {
  for (const event of parseEvents(recordedLog(name)).events) if (event.type === "held") return event.hold;
  throw new Error(`${name} was not held`);
}

test.each([
  ["memory", "memory"],
  ["held-by-hand", "by-hand"],
  ["no-executable", "not-started"],
  ["output-unwritable", "not-started"],
  ["input-unreadable", "input"],
  ["output-missing", "output"],
  ["policy", "policy"],
  ["memory-policy", "memory"],
])("%s is held as %s", (name, expected) => {
  expect(classifyHold(recordedHold(name))).toBe(expected);
});

test.each([
  [26, "SYSTEM_PERIODIC_HOLD: memory usage exceeded request_memory", "memory"],
  [3, "The job attribute PeriodicHold expression 'MemoryUsage > RequestMemory' evaluated to TRUE", "memory"],
  [26, "Job has exceeded its allowed memory", "memory"],
  [21, "it ran for too long", "policy"],
  [16, "Spooling input data files", "spooling"],
  [99, "nobody knows", "other"],
] as const)("hold %i (%s) is %s", (code, reason, expected) => {
  expect(classifyHold({ code, subcode: 0, reason })).toBe(expected);
});
