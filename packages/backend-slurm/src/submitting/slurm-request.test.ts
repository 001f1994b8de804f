import { sampleJob, sampleTask } from "@wf/backend/testing";
import { expect, test } from "vitest";
import { sampleSettings } from "../testing/sample-settings.ts";
import { fitPartition } from "./slurm-request.ts";

test("what fits no partition is told with every limit that it breaks", () => {
  const settings = sampleSettings({
    partitions: [
      { name: "short", maxTime: "1m", cpusPerNode: 8 },
      { name: "gpu", gpusPerNode: 2, memoryPerNode: 1000 },
    ],
  });
  const huge = sampleJob([sampleTask("a@1", { timeLimitSeconds: 600 })], { cpus: 16, gpus: 3, memoryBytes: 2000 });
  expect(fitPartition(sampleJob([sampleTask("b@1")]), settings.partitions).type).toBe("fits");
  expect(fitPartition(huge, settings.partitions)).toEqual({
    type: "none",
    message:
      "no partition of the site fits 16 cpus, 2000 bytes, 3 GPUs, 600 s: short has 8 cpus a node and 0 GPUs a node and a limit of 60 s; gpu has 1000 bytes a node and 2 GPUs a node",
  });
});

test("ranks on more nodes than a partition gives to one job go to the next partition, or nowhere", () => {
  const { partitions } = sampleSettings({ partitions: [{ name: "small", maxNodes: 1 }, { name: "wide" }] });
  const wide = sampleJob([sampleTask("a@1", { ranks: { nodes: 2, perNode: 1, launch: null }, cpus: 2 })], { cpus: 2 });
  expect(fitPartition(wide, partitions)).toMatchObject({ request: { partition: { name: "wide" } } });
  expect(fitPartition(wide, partitions.slice(0, 1))).toMatchObject({
    type: "none",
    message: expect.stringContaining("small has 1 nodes"),
  });
});
