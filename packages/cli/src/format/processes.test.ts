import { expect, it } from "vitest";
import { formatProcesses } from "./processes.ts";

it("says how processes are spread out, and nothing of a task that has one", () => {
  expect(formatProcesses({ nodes: 1, processes: 1 })).toBe("");
  expect(formatProcesses({ nodes: 1, processes: 4 })).toBe("4 processes");
  expect(formatProcesses({ nodes: 2, processes: 1 })).toBe("2 nodes");
  expect(formatProcesses({ nodes: 2, processes: 4 })).toBe("2 nodes x 4 processes");
});
