import { FailureClass } from "@wf/protocol";
import { expect, test } from "vitest";
import { AT_THE_START, goesOn, progressAfter } from "./slices.ts";
import { testRecord } from "./test-site.ts";

test("a task goes on from its checkpoint where its place was taken, and where it failed itself it is tried again", () => {
  const going = FailureClass.options.filter((failure) => goesOn(testRecord({}, { failure, leaves: 1 })));
  expect(going.toSorted()).toEqual(["interrupted", "lost", "node-failed", "preempted", "slice-ended", "time-limit"]);
  for (const failure of FailureClass.options) expect(goesOn(testRecord({}, { failure }))).toBe(false);
  expect(goesOn(testRecord({}, { leaves: 1 }))).toBe(false);
});

test("each checkpoint is one slice more, and numbers of earlier slices stay until they are reported again", () => {
  const records = [
    testRecord({}, { failure: "slice-ended", leaves: 1, metrics: { loss: 3, dice: 0.1 } }),
    testRecord({}, { failure: "exit", metrics: { loss: 9 } }),
    testRecord({}, { failure: "preempted", leaves: 2, metrics: { loss: 2 } }),
  ];
  const progress = records.reduce(progressAfter, AT_THE_START);
  expect(progress).toEqual({
    slice: 3,
    checkpoint: records[2]?.checkpoint,
    metrics: { loss: { kind: "json", value: 2 }, dice: { kind: "json", value: 0.1 } },
  });
});
