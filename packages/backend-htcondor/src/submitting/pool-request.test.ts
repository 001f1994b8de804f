import { sampleJob, sampleTask } from "@wf/backend/testing";
import { expect, test } from "vitest";
import { fitPool } from "./pool-request.ts";

const LARGEST = { cpus: 8, memory: 1000, gpus: 0 };

test("a job asks for whole cpus, and for the longest grace of its tasks", () => {
  const tasks = [sampleTask("a@1", { graceSeconds: 2 }), sampleTask("b@1", { graceSeconds: 9 })];
  expect(fitPool(sampleJob(tasks, { cpus: 1.5, diskBytes: 7 }), LARGEST)).toEqual({
    type: "fits",
    request: { cpus: 2, memoryBytes: 0, gpus: 0, diskBytes: 7, graceSeconds: 9 },
  });
});

test("what no machine has is told with what the largest has", () => {
  const huge = sampleJob([sampleTask("a@1")], { cpus: 16, gpus: 1, memoryBytes: 500 });
  expect(fitPool(huge, LARGEST)).toEqual({
    type: "none",
    message: "no machine of the pool fits 16 cpus and 1 GPUs: the largest has 8 cpus and 0 GPUs (htcondor.largest)",
  });
});

test("what the site does not say is not limited", () => {
  expect(fitPool(sampleJob([sampleTask("a@1")], { cpus: 1000, memoryBytes: 1e15 }), { gpus: 0 }).type).toBe("fits");
});

test("a job has one machine", () => {
  const wide = sampleTask("train@1", { ranks: { nodes: 2, perNode: 1, launch: null } });
  expect(fitPool(sampleJob([wide]), LARGEST)).toMatchObject({
    type: "none",
    message: expect.stringContaining("2 nodes"),
  });
});
