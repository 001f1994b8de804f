import { file, type Graph, type TaskNode, task, workflow } from "@wf/core";
import { type NamedSite, Site } from "@wf/site";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sliceOf } from "./slice.ts";

function siteOf(maxTime: number | null): NamedSite {
  const partitions = [{ name: "main", ...(maxTime === null ? {} : { maxTime }) }];
  return { name: "cluster", ...Site.parse({ backend: "slurm", storage: "/scratch/me/wf", slurm: { partitions } }) };
}

function trainFor(time: number | null, isResumable = true): TaskNode {
  const train = task({
    name: "train",
    outputs: { state: file("pt"), model: file("pt") },
    ...(isResumable ? { resumable: { checkpoint: "state" as const } } : {}),
    resources: time === null ? {} : { time },
    command: () => ["train"],
  });
  const graph: Graph = workflow({ name: "study", build: () => ({ model: train({}).model }) }).toGraph();
  return graph.nodes.get("train") as TaskNode;
}

const slice = (time: number | null, maxTime: number | null, isResumable?: boolean) => {
  const { resources, warnings } = sliceOf(trainFor(time, isResumable), siteOf(maxTime));
  return [resources.timeLimitSeconds, warnings.length];
};

test.each<[string, number | null, number | null, number | null, number]>([
  ["what asks for more than a job may take", 7200, 3600, 3480, 1],
  ["what asks for all that a job may take", 3600, 3600, 3480, 1],
  ["what leaves too little for starting and the checkpoint", 3481, 3600, 3480, 1],
  ["what leaves just enough", 3480, 3600, 3480, 0],
  ["what asks for less", 60, 3600, 60, 0],
  ["what asks for no time", null, 3600, 3480, 1],
  ["a short job, of which a quarter is left", 100, 90, 67, 1],
  ["a job on a site that ends nothing", 7200, null, 7200, 0],
])("%s: %j s of %j s are %j s", (_, asked, longest, given, warnings) => {
  expect(slice(asked, longest)).toEqual([given, warnings]);
});

test("what cannot go on gets what it asks for", () => {
  expect(slice(7200, 3600, false)).toEqual([7200, 0]);
  expect(slice(null, 3600, false)).toEqual([null, 0]);
});

test("a slice is never longer than asked for, and leaves two minutes of the job, or a quarter of a short one", () => {
  const seconds = fc.integer({ min: 4, max: 10_000 });
  fc.assert(
    fc.property(fc.option(seconds), seconds, (asked, longest) => {
      const [given] = slice(asked, longest);
      expect(given).toBeLessThanOrEqual(asked ?? Number.POSITIVE_INFINITY);
      expect(longest - (given as number)).toBeGreaterThanOrEqual(Math.min(120, longest / 4));
    }),
  );
});

test("says how long the slices are and why", () => {
  expect(sliceOf(trainFor(7200), siteOf(3600)).warnings).toEqual([
    "train runs in slices of 3480 s: a job of the site may take 3600 s",
  ]);
});
