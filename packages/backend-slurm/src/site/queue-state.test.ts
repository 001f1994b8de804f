import { expect, test } from "vitest";
import { sampleJob, sampleTask } from "../testing/sample-job.ts";
import { NEWLY_SUBMITTED, type WatchedJob } from "../watching/observe.ts";
import { type Element, elementOf } from "./element.ts";
import { queueState } from "./queue-state.ts";

function element(attempt: string, index: number, id: string | null): Element {
  return { ...elementOf(sampleJob([sampleTask(attempt)]), "token", index, 9), id };
}

const watched = (known: WatchedJob["known"]): WatchedJob => ({ known, doubtedSinceMs: null });

test("jobs are counted by what was last heard of them, and markers go before the queue", () => {
  const elements = [
    element("not-taken@1", 0, null),
    element("new@1", 1, "7"),
    element("waits@1", 2, "7"),
    element("held@1", 3, "7"),
    element("held-too@1", 4, "7"),
    element("runs@1", 5, "7"),
    element("has-marker@1", 6, "7"),
  ];
  const jobs = new Map([
    ["7_1", NEWLY_SUBMITTED],
    ["7_2", watched({ phase: "waiting", reason: "Priority" })],
    ["7_3", watched({ phase: "waiting", reason: "JobHeldUser" })],
    ["7_4", watched({ phase: "waiting", reason: "JobHeldAdmin" })],
    ["7_5", watched({ phase: "running", nodes: "c1" })],
    ["7_6", watched({ phase: "waiting", reason: "Priority" })],
  ]);
  expect(queueState(elements, jobs, new Set(["has-marker@1"]))).toEqual({
    unsubmitted: 1,
    waiting: new Map([
      ["None", 1],
      ["Priority", 1],
      ["JobHeldUser", 1],
      ["JobHeldAdmin", 1],
    ]),
    held: 2,
    running: 2,
  });
});
