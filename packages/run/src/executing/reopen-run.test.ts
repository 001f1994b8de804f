import { writeFileSync } from "node:fs";
import type { PlannedStage } from "@wf/planner";
import { afterEach, expect, it } from "vitest";
import { prepareFile } from "../planning/prepare-file.ts";
import { TestProject } from "../testing/test-project.ts";
import { reopenRun } from "./reopen-run.ts";
import { startRun } from "./start-run.ts";
import type { StartedRun } from "./started-run.ts";

const FLOW = `
import { each, file, task, workflow, z } from "wf";
const train = task({
  name: "train",
  outputs: { state: file("pt") },
  resources: { nodes: 2, processes: 2, cpus: 4, time: "9h" },
  resumable: { checkpoint: "state" },
  command: ({ outputs }) => ["train", outputs.state],
});
const look = task({
  name: "look",
  inputs: { state: file("pt") },
  params: z.object({ item: z.number() }),
  outputs: { text: file("txt") },
  command: ({ inputs, outputs, params }) => ["look", inputs.state, outputs.text, params.item],
});
export default workflow({
  name: "flow",
  build: () => {
    const { state } = train({});
    return { texts: each([1, 2, 3]).map((item) => look({ state }, { item })).text };
  },
});
`;
const sites = (maxTime: string, cpusPerNode: number) => `sites:
  cluster:
    backend: slurm
    storage: /scratch/wf
    placement: copy
    clustering: { strategy: horizontal, tasksPerJob: 3 }
    slurm: { partitions: [{ name: main, maxTime: ${maxTime}, cpusPerNode: ${cpusPerNode}, memoryPerNode: 64GiB }] }
  pool:
    backend: htcondor
    storage: /scratch/wf
    placement: transfer
    clustering: { strategy: horizontal, tasksPerJob: 2 }
    htcondor: { largest: { cpus: 8, memory: 64GiB, gpus: 0 } }
  here:
    clustering: { strategy: horizontal, tasksPerJob: 4 }
    resources: { cpus: 8, memory: 64GiB }
`;

let project: TestProject;
afterEach(() => project.remove());

const quiet = () => undefined;
const planOf = ({ plan }: StartedRun) =>
  [...plan.stages].map(([stage, { resources, tasksPerJob, rank, keyParts, warnings }]: [string, PlannedStage]) => ({
    stage,
    resources,
    tasksPerJob,
    rank,
    keyParts,
    warnings,
  }));

async function start(site: string): Promise<StartedRun> {
  project = new TestProject({ "flow.ts": FLOW, "sites.yaml": sites("1h", 8) });
  const settings = { params: () => ({}), inputs: new Map(), site };
  const started = await startRun(
    await prepareFile(project.path("flow.ts"), settings, quiet),
    { cache: true, after: [] },
    quiet,
  );
  started.store.close();
  return started;
}

async function reopened(run: string): Promise<StartedRun> {
  const again = await reopenRun(run, { root: project.root, storeFolder: project.store }, {}, quiet);
  again.store.close();
  return again;
}

it.each(["cluster", "pool", "here"])("a run is planned as it was when it started: %s", async (site) => {
  const started = await start(site);
  const again = await reopened(started.run);
  expect(planOf(again)).toEqual(planOf(started));
  expect(again.settings).toEqual(started.settings);
  expect(again.siteName).toBe(site);
});

it("on a cluster, that is in slices, on several nodes, with tasks that share jobs, and in copies", async () => {
  const { run } = await start("cluster");
  const { plan, settings } = await reopened(run);
  expect(plan.stages.get("train")?.resources).toMatchObject({
    nodes: 2,
    processes: 2,
    cpus: 4,
    timeLimitSeconds: 3600 - 120,
  });
  expect(plan.stages.get("look")?.tasksPerJob).toBe(3);
  expect(settings.site.placement).toBe("copy");
});

it("what sites.yaml says of a cluster by now counts; how tasks are grouped stays", async () => {
  const { run } = await start("cluster");
  writeFileSync(project.path("sites.yaml"), sites("2h", 16).replace("tasksPerJob: 3", "tasksPerJob: 9"));
  const { plan, settings } = await reopened(run);
  expect(plan.stages.get("train")?.resources.timeLimitSeconds).toBe(7200 - 120);
  expect(settings.site.capacity?.cpus).toBe(16);
  expect(plan.stages.get("look")?.tasksPerJob).toBe(3);
});

it("the stored bundle is replayed, whatever became of the file", async () => {
  const { run } = await start("here");
  writeFileSync(project.path("flow.ts"), "this is no workflow any more");
  expect([...(await reopened(run)).plan.stages.keys()]).toEqual(["train", "look"]);
});
