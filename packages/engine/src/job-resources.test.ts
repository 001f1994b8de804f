import { type Resources, workflow } from "@wf/core";
import { type PlannedStage, planStages } from "@wf/planner";
import { expect, test } from "vitest";
import { jobResources } from "./job-resources.ts";
import { add } from "./test-adding.ts";
import { testSite } from "./test-run.ts";

const graph = workflow({ name: "study", build: () => ({ n: add({ all: [] }).n }) }).toGraph();
const planned = planStages({ graph, site: testSite(3), capacity: null, code: new Map(), bundleHash: "bundle" });
const stage = planned.stages.get("add") as PlannedStage;

function asking(resources: Partial<Resources>) {
  return { stage: { ...stage, resources: { ...stage.resources, ...resources } } };
}

test("tasks that share a job take turns: the processors of one, the memory of the greediest, room for all", () => {
  const tasks = [1e9, 4e9, 2e9].map((memoryBytes) => asking({ cpus: 2, gpus: 1, memoryBytes, diskBytes: 5e9 }));
  expect(jobResources(tasks)).toEqual({ cpus: 2, gpus: 1, memoryBytes: 4e9, diskBytes: 15e9 });
});

test("a distributed task needs what all its processes need, and disk is not named where none is asked for", () => {
  const tasks = [asking({ nodes: 2, processes: 3, cpus: 2, gpus: 1, memoryBytes: 1e9 })];
  expect(jobResources(tasks)).toEqual({ cpus: 12, gpus: 6, memoryBytes: 6e9 });
});
