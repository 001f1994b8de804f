/** Jobs of eight tasks that SLURM ends for one of them: the others have failed nothing. */
import { execFileSync } from "node:child_process";
import { until } from "@wf/testing";
import { describe, expect, it } from "vitest";
import { openFolder } from "../clusters/open-folder.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { finishOf, type JsonEvent, makeProject } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

/** The third task of the job does not end by itself; it wants far more memory than it asks for, or only time. */
const EIGHT = (megabytes: number) => `
import { each, file, task, workflow, z } from "wf";

const work = task({
  name: "work",
  params: z.object({ i: z.number() }),
  outputs: { text: file("txt") },
  resources: { memory: "200MiB" },
  command: ({ outputs, params }) => [
    "python3", "-c", \`import sys, time
if sys.argv[2] == "2":
    x = b"x" * (${megabytes} << 20)
    print("begun", flush=True)
    time.sleep(1200)
open(sys.argv[1], "w").write("done")\`, outputs.text, params.i,
  ],
});

export default workflow({
  name: "eight",
  build: () => ({ texts: each([0, 1, 2, 3, 4, 5, 6, 7]).map((i) => work({}, { i })).text }),
});
`;

function eightTasks(megabytes: number) {
  const slurm = { partitions: [{ name: "main" }], time: "30m", batchWindow: 0.05, poll: { every: 1, atMost: 5 } };
  const site = {
    ...{ backend: "slurm", storage: openFolder(cluster.folder, "eight-"), python: "/usr/bin/python3", slurm },
    clustering: { strategy: "horizontal", tasksPerJob: 8 },
  };
  process.umask(0);
  return makeProject({ "sites.yaml": JSON.stringify({ sites: { login: site } }), "eight.ts": EIGHT(megabytes) });
}

const env = { SLURM_CONF: cluster?.slurmConf ?? "" };
const RUN = ["run", "eight.ts", "--site", "login", "--keep-going", "--json"];
const OTHERS = [0, 1, 3, 4, 5, 6, 7].map((i) => `work.${i}`);

function expectOneCulprit(events: readonly JsonEvent[], failure: string): void {
  const ends = events.filter(({ type }) => type === "task.ended");
  expect(ends.filter(({ state }) => state === "failed")).toMatchObject([{ task: "work.2", cause: { class: failure } }]);
  // What had ended in the last seconds before may have been ended by the same signals, and is made again.
  const done = new Set(ends.filter(({ state }) => state === "done").map(({ task }) => task));
  expect([...done].toSorted()).toEqual(OTHERS);
  const ofType = (...types: readonly string[]) => events.filter(({ type }) => types.includes(type ?? ""));
  expect(ofType("task.retry").filter(({ failure }) => failure !== "interrupted")).toEqual([]);
  expect(ofType("task.unreached").map(({ task }) => task)).toEqual(OTHERS.slice(2));
  const blamed = events.indexOf(ends.find(({ state }) => state === "failed") as JsonEvent);
  for (const blameless of ofType("task.unreached", "task.revoked", "task.retry")) {
    expect(events.indexOf(blameless)).toBeGreaterThan(blamed);
  }
}

describe.skipIf(found === null)("a job of eight tasks of which one", () => {
  it.concurrent("takes too much memory", async () => {
    const run = await eightTasks(600).wf(RUN, { env });
    expect(finishOf(run)).toMatchObject({ status: "failed" });
    expectOneCulprit(run.events, "out-of-memory");
  });

  it.concurrent("takes too much time", async () => {
    const project = eightTasks(1);
    const started = project.start(RUN, { env });
    const job = await until("the slow task", () => {
      const isRunning = started.stdout().includes('"task":"work.2","stage":"work","attempt":"work.2@1","startedAt"');
      return isRunning && project.ask<string>("SELECT queue_job FROM accounts LIMIT 1");
    });
    execFileSync("scontrol", ["update", `jobid=${job}`, "EndTime=now"], { env: { ...process.env, ...env } });
    const run = await started.ended;
    expect(finishOf(run)).toMatchObject({ status: "failed" });
    expectOneCulprit(run.events, "time-limit");
    const [name = ""] = project.runs();
    const shown = (await project.wf(["show", name, "work.5"], { env })).stdout;
    expect(shown).toMatch(/not reached +once, at no cost: .*before its turn came.*TIMEOUT/);
  });
});
