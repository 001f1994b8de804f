import { sampleJob, sampleTask } from "@wf/backend/testing";
import { expect, test } from "vitest";
import type { JobPhase } from "./batch-system.ts";
import { type Element, elementOf } from "./element.ts";
import { queueState } from "./queue-state.ts";

function element(attempt: string, index: number, id: string | null): Element {
  const taken = id === null ? null : { id, job: `${id}_${index}` };
  return { ...elementOf(sampleJob([sampleTask(attempt)]), "token", index, 9), taken };
}

const waiting = (reason: string, isHeld = false): JobPhase => ({ phase: "waiting", reason, isHeld });

test("jobs are counted once, by what was last heard of them, and markers go before the queue", () => {
  const elements = [
    element("not-taken@1", 0, null),
    element("new@1", 1, "7"),
    element("waits@1", 2, "7"),
    element("held@1", 3, "7"),
    element("held-too@1", 4, "7"),
    element("runs@1", 5, "7"),
    element("has-marker@1", 6, "7"),
    element("left@1", 7, "7"),
  ];
  const phases = new Map<string, JobPhase>([
    ["7_1", { phase: "submitted" }],
    ["7_2", waiting("Priority")],
    ["7_3", waiting("JobHeldUser", true)],
    ["7_4", waiting("JobHeldAdmin", true)],
    ["7_5", { phase: "running" }],
    ["7_6", waiting("Priority")],
    ["7_7", { phase: "waiting", reason: "the disk is full", isHeld: true, hasLeft: true }],
  ]);
  expect(queueState(elements, (job) => phases.get(job), new Set(["has-marker@1", "left@1"]))).toEqual({
    unsubmitted: 1,
    waiting: new Map([
      ["just submitted", 1],
      ["Priority", 1],
    ]),
    held: new Map([
      ["JobHeldUser", 1],
      ["JobHeldAdmin", 1],
      ["the disk is full", 1],
    ]),
    heldJobs: ["7_3", "7_4", "7_7"],
    running: 2,
  });
});
