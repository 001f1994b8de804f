import { json, series, workflow } from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { dagJobs } from "./jobs.ts";
import { nodeTask } from "./node-task.ts";
import { staticPart } from "./static-part.ts";
import { double, POOL, requestFor, sum } from "./test-export.ts";

async function jobsOf(made: Parameters<typeof requestFor>[0], inputs: Record<string, unknown>, tasksPerJob: number) {
  const site = { ...POOL, clustering: { strategy: "horizontal", tasksPerJob, stages: {} } } as const;
  const request = requestFor(made, inputs, { site });
  const { tasks } = await staticPart(request);
  const jobs = dagJobs(tasks, (task) => nodeTask(task, request.context, undefined));
  return jobs.map((job) => [job.tasks.map(({ task }) => task), [...job.after]]);
}

test("tasks of a stage share a node, which waits for all that they read", async () => {
  const made = workflow({
    name: "w",
    inputs: { numbers: json(z.array(z.number())) },
    build: ({ inputs }) => {
      const doubled = inputs.numbers.items().map((n) => double({}, { n }).n);
      return { total: sum({ all: doubled }).n };
    },
  });
  expect(await jobsOf(made, { numbers: [1, 2, 3] }, 2)).toEqual([
    [["double.0", "double.1"], []],
    [["double.2"], []],
    [["sum"], ["double.0", "double.1", "double.2"]],
  ]);
});

test("tasks of a stage that wait for each other never share one", async () => {
  const made = workflow({
    name: "w",
    build: () =>
      series({ count: 3, window: 2, gives: { n: json(z.number()) } }, (earlier) => ({ n: sum({ all: earlier.n }).n })),
  });
  expect(await jobsOf(made, {}, 8)).toEqual([
    [["sum.0", "sum.1"], []],
    [["sum.2"], ["sum.0"]],
  ]);
});
