import { expect, it } from "vitest";
import { adviseResources } from "./resource-advice.ts";

const asked = { cpus: 4, memoryBytes: 4e9, gpus: 0, timeLimitSeconds: 3600 };
const used = { cpuPercent: 380, peakMemoryBytes: 3e9, longestSeconds: 1500 };

function proposals(changes: Partial<typeof asked>, usage: Partial<Parameters<typeof adviseResources>[1]>): string[] {
  const advice = adviseResources({ ...asked, ...changes }, { ...used, ...usage });
  return advice.flatMap(({ proposal }) => (proposal === undefined ? [] : [proposal]));
}

it("has nothing to say where what was asked for is right", () => {
  expect(proposals({}, {})).toEqual([]);
});

it("proposes less where far too much was asked for", () => {
  expect(proposals({ cpus: 16, memoryBytes: 64e9, timeLimitSeconds: 86_400 }, {})).toEqual([
    "cpus: 4",
    'memory: "3.8GB"',
    'time: "50m"',
  ]);
});

it("proposes more where it was nearly too little", () => {
  expect(proposals({}, { cpuPercent: 900, peakMemoryBytes: 3.9e9, longestSeconds: 3500 })).toEqual([
    "cpus: 9",
    'memory: "4.9GB"',
    'time: "117m"',
  ]);
});

it("asks for memory only where it matters, and never for a time limit", () => {
  const none = { memoryBytes: 0, timeLimitSeconds: null as never };
  expect(proposals(none, { peakMemoryBytes: 20e6 })).toEqual([]);
  expect(proposals(none, { peakMemoryBytes: 600e6 })).toEqual(['memory: "750MB"']);
});

it("knows nothing from nothing", () => {
  const unknown = { cpuPercent: null, peakMemoryBytes: null, longestSeconds: null };
  expect(adviseResources(asked, unknown).map(({ used: shown }) => shown)).toEqual(["-", "-", "-"]);
});
