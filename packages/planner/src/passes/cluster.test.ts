import { fn, type Graph, type TaskNode, task, workflow } from "@wf/core";
import type { Clustering } from "@wf/site";
import { expect, test } from "vitest";
import { tasksPerJob } from "./cluster.ts";

const train = task({ name: "train", command: () => ["train"] });
const glue = fn({ name: "glue", run: () => ({}) });
const graph: Graph = workflow({
  name: "study",
  build: () => {
    train({});
    train({}, {}, { as: "evaluate" });
    train({}, {}, { as: "nodes", resources: { nodes: 2 } });
    train({}, {}, { as: "processes", resources: { processes: 2 } });
    glue({});
    return {};
  },
}).toGraph();

function inOneJob(clustering: Clustering): Record<string, number> {
  const stages = [...graph.nodes.values()] as TaskNode[];
  return Object.fromEntries(stages.map((node) => [node.id, tasksPerJob(node, clustering)]));
}

test("a stage's own number goes before the site's, and what must be alone is alone", () => {
  const stages = { train: 3, nodes: 4, processes: 4, glue: 4 };
  expect(inOneJob({ strategy: "horizontal", tasksPerJob: 5, stages })).toEqual({
    train: 3,
    evaluate: 5,
    nodes: 1,
    processes: 1,
    glue: 1,
  });
});

test("without clustering every task has a job of its own, whatever numbers there are", () => {
  const counts = Object.values(inOneJob({ strategy: "none", tasksPerJob: 5, stages: { train: 3 } }));
  expect(counts).toEqual([1, 1, 1, 1, 1]);
});
