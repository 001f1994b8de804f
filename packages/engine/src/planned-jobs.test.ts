import { each, type Graph, workflow } from "@wf/core";
import { planLines } from "@wf/planner";
import fc from "fast-check";
import { expect, test } from "vitest";
import { add, adding } from "./test-adding.ts";
import { jsonOps, TestRun, testSite } from "./test-run.ts";

/** Fan-outs of these sizes, each over what one task made of the one before. */
function fanOuts(sizes: readonly number[]): Graph {
  return workflow({
    name: "study",
    build: () => {
      let before = add({ all: [] }, { n: 0 }, { as: "start" }).n;
      for (const [place, size] of sizes.entries()) {
        const items = Array.from({ length: size }, (_, n) => n);
        const wide = each(items).map((n) => add({ all: [before] }, { n }, { as: `wide-${place}` }).n);
        before = add({ all: wide }, { n: 0 }, { as: `gather-${place}` }).n;
      }
      return { n: before };
    },
  }).toGraph();
}

function plannedJobs(graph: Graph, tasksPerJob: number): Record<string, string[]> {
  const request = { graph, site: testSite(tasksPerJob), capacity: null, inputs: new Map(), code: new Map() };
  const lines = [...planLines({ ...request, bundleHash: "bundle", ops: jsonOps, known: null, useCache: false })];
  return Object.fromEntries(
    lines.flatMap((line) =>
      line.type === "job" && line.kind === "compute" ? [[line.job, line.tasks.map(({ task }) => task)]] : [],
    ),
  );
}

test("the jobs that a plan names are those that a run submits, each with its tasks", () => {
  const settings = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 2 }),
    tasksPerJob: fc.integer({ min: 1, max: 9 }),
    slots: fc.integer({ min: 1, max: 5 }),
    mostInFlight: fc.integer({ min: 1, max: 9 }),
    batch: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(settings, ({ sizes, tasksPerJob, slots, mostInFlight, batch }) => {
      const graph = fanOuts(sizes);
      const run = new TestRun(graph, { behaviour: adding(), tasksPerJob, slots, mostInFlight, batch: () => batch });
      expect(run.finish().status).toBe("succeeded");
      const submitted = run.store.ofType("job.submitted").map(({ job, tasks }) => [job.replace(/@1$/, ""), tasks]);
      expect(Object.fromEntries(submitted)).toEqual(plannedJobs(graph, tasksPerJob));
    }),
  );
});
