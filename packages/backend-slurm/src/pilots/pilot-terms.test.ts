import { sampleJob, sampleTask } from "@wf/backend/testing";
import { expect, test } from "vitest";
import { sampleSettings } from "../testing/sample-settings.ts";
import { fitsPilot, pilotsWanted, workingSeconds } from "./pilot-terms.ts";

const pilots = sampleSettings({ pilots: { cpus: 4, memory: "8GB", gpus: 1, time: "10m" } }).pilots as NonNullable<
  ReturnType<typeof sampleSettings>["pilots"]
>;
const fits = (task: Parameters<typeof sampleTask>[1], job: Parameters<typeof sampleJob>[1] = {}) =>
  fitsPilot(sampleJob([sampleTask("a@1", task)], job), pilots);

test("a pilot leaves before its job is ended", () => {
  expect(workingSeconds(pilots)).toBe(540);
  expect(workingSeconds({ ...pilots, time: 60 })).toBe(54);
});

test("a job goes to a pilot that has what it needs, for as long as it needs it", () => {
  expect(fits({})).toBe(true);
  expect(fits({ timeLimitSeconds: 540 }, { cpus: 4, memoryBytes: 8e9, gpus: 1 })).toBe(true);
  expect(fits({}, { cpus: 5 })).toBe(false);
  expect(fits({}, { memoryBytes: 9e9 })).toBe(false);
  expect(fits({}, { gpus: 2 })).toBe(false);
  expect(fits({ timeLimitSeconds: 541 })).toBe(false);
});

test("what has secrets or ranks goes its own way", () => {
  expect(fits({ env: { TOKEN: "x" }, secrets: ["TOKEN"] })).toBe(false);
  expect(fits({ ranks: { nodes: 2, perNode: 1, launch: null } })).toBe(false);
});

test("there are no more pilots than there is work for, and no more than the site allows", () => {
  expect([0, 1, 4, 5, 100].map((cpus) => pilotsWanted(cpus, pilots))).toEqual([0, 1, 1, 2, 2]);
});
