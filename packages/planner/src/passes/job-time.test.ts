import { type NamedSite, Site } from "@wf/site";
import { expect, test } from "vitest";
import { warnOfJobTime } from "./job-time.ts";

function siteOf(maxTime: number | null): NamedSite {
  const partitions = [{ name: "main", ...(maxTime === null ? {} : { maxTime }) }];
  return { name: "cluster", ...Site.parse({ backend: "slurm", storage: "/scratch/me/wf", slurm: { partitions } }) };
}

const warnings = (timeLimitSeconds: number | null, tasksPerJob: number, maxTime: number | null) => {
  const resources = { nodes: 1, processes: 1, cpus: 1, memoryBytes: 0, gpus: 0, diskBytes: 0, timeLimitSeconds };
  return warnOfJobTime("work", resources, tasksPerJob, siteOf(maxTime));
};

test("eight tasks of a quarter of a minute do not fit into a job of a minute", () => {
  expect(warnings(15, 8, 60)).toEqual([
    "work asks for 15 s a task, and with 8 tasks a job up to 120 s one after another, but a job of the site may take 60 s: put at most 4 into a job (clustering.stages.work in sites.yaml)",
  ]);
});

test("a task that does not fit alone is said to be one", () => {
  expect(warnings(90, 1, 60)).toEqual(["work asks for 90 s a task, and a job of the site may take 60 s"]);
});

test.each([
  ["tasks that just fit", 15, 4, 60],
  ["tasks of which nobody knows how long they take", null, 8, 60],
  ["a site that ends nothing", 15, 8, null],
])("nothing is said of %s", (_what, time, tasksPerJob, maxTime) => {
  expect(warnings(time, tasksPerJob, maxTime)).toEqual([]);
});
