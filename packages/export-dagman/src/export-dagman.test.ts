import { json, secret, task, workflow } from "@wf/core";
import { Site } from "@wf/site";
import { expect, test } from "vitest";
import { z } from "zod";
import { exportDagman } from "./export-dagman.ts";
import { double, listed, requestFor, sum } from "./test-export.ts";

const careful = task({
  name: "careful",
  retries: 2,
  env: { TOKEN: secret("HUB_TOKEN") },
  resources: { cpus: 2, memory: "1GiB", disk: "1MiB" },
  outputs: { n: json(z.number()) },
  command: () => ["true"],
});

const made = workflow({
  name: "study",
  inputs: { numbers: json(z.array(z.number())) },
  build: ({ inputs }) => {
    const doubled = inputs.numbers.items().map((n) => double({}, { n }).n);
    const total = sum({ all: doubled }).n;
    const grown = listed({})
      .all.items()
      .map((n) => double({}, { n }, { as: "grown" }).n);
    return { total, first: careful({}).n, grown };
  },
});

const wish = { requirements: ["numpy"], requiresPython: null, project: "/here" };
const site = {
  name: "pool",
  ...Site.parse({
    backend: "htcondor",
    storage: "/shared/wf",
    python: "/opt/python3",
    htcondor: { setup: ["module load x"], shell: "/bin/bash -l", limits: { jobs: 50 } },
  }),
};

async function exported() {
  const request = requestFor(made, { numbers: [1, 2] }, { site, runtimes: new Map([["sum", { key: "k1", wish }]]) });
  const dag = await exportDagman({ ...request, context: { ...request.context, python: "/opt/python3" } });
  return { dag, text: (path: string) => dag.files.find((file) => file.path === path)?.text };
}

test("the DAG names its nodes, what they wait for, how often they are tried and what is urgent", async () => {
  const { text } = await exported();
  expect(text("study.dag")).toBe(`# study: made by wf export dagman. README says what to type.
CONFIG dagman.config
NODE_STATUS_FILE study.status 30

JOB prepare stages/prepare.k1.sub
JOB listed stages/listed.sub
JOB careful stages/careful.sub
JOB double_0 stages/double.sub
JOB double_1 stages/double.sub
JOB sum stages/sum.sub
FINAL gather gather.sub

VARS ALL_NODES node="$(JOB)"
RETRY careful 2 UNLESS-EXIT 65
PRIORITY prepare 1
PRIORITY listed 1
PRIORITY double_0 1
PRIORITY double_1 1

PARENT double_0 double_1 prepare CHILD sum
`);
});

test("every file that a node needs is there", async () => {
  const { dag, text } = await exported();
  expect(dag.files.map(({ path }) => path)).toEqual([
    "study.dag",
    "dagman.config",
    "node.sh",
    "gather.sub",
    "gather.json",
    "stages/listed.sub",
    "stages/careful.sub",
    "stages/double.sub",
    "stages/sum.sub",
    "runtimes/k1.json",
    "stages/prepare.k1.sub",
    "nodes/listed.json",
    "nodes/careful.json",
    "nodes/double_0.json",
    "nodes/double_1.json",
    "nodes/sum.json",
    "README",
  ]);
  expect(text("dagman.config")).toBe("DAGMAN_MAX_JOBS_SUBMITTED = 50\n");
  expect(text("stages/careful.sub")).toContain("request_cpus = 2\nrequest_memory = 1024\nrequest_disk = 1024\n");
  expect(text("node.sh")).toBe(`#!/bin/bash -l
# Jobs of this folder's DAG start here, in this folder: run NODE, prepare KEY, or gather.
PATH="\${PATH:-/usr/local/bin:/usr/bin:/bin}"
export PATH
WF_SETUP_BEFORE="$(env -u WF_SECRETS -u WF_SECRETS_PAD cat /proc/self/environ | tr '\\000' '\\001')"
module load x
WF_SETUP_AFTER="$(env -u WF_SECRETS -u WF_SECRETS_PAD cat /proc/self/environ | tr '\\000' '\\001')"
export WF_SETUP_BEFORE WF_SETUP_AFTER
exec /opt/python3 -I -S wf-launcher.pyz dag "$@"
`);
  expect(JSON.parse(text("runtimes/k1.json") as string)).toEqual({ ...wish, python: "/opt/python3" });
});

test("at the end the outputs are gathered, and of a part of a workflow also what it ends in", async () => {
  const { dag, text } = await exported();
  expect(JSON.parse(text("gather.json") as string)).toEqual({
    version: 1,
    run: "study",
    tasks: ["listed", "careful", "double.0", "double.1", "sum"],
    outputs: {
      total: { op: "output", task: "sum", name: "n" },
      first: { op: "output", task: "careful", name: "n" },
      "tasks/listed/all": { op: "output", task: "listed", name: "all" },
    },
    metrics: {},
  });
  expect(dag.missing).toEqual([{ name: "grown", because: "listed" }]);
});

test("a task that asks for several nodes is refused, as a job of HTCondor has one machine", async () => {
  const outputs = { n: json(z.number()) };
  const spread = task({ name: "spread", resources: { nodes: 2 }, outputs, command: () => ["true"] });
  const wide = workflow({ name: "w", build: () => ({ n: spread({}).n }) });
  await expect(exportDagman(requestFor(wide))).rejects.toMatchObject({
    code: "WF_RESOURCES",
    message: expect.stringContaining("2 nodes"),
    where: expect.stringContaining('task "spread"'),
  });
});

test("the README says what to type, how to give secrets, and what is left out", async () => {
  const { dag, text } = await exported();
  expect(dag.secrets).toEqual(["HUB_TOKEN"]);
  const readme = text("README") as string;
  expect(readme).toContain("cd THIS-FOLDER && condor_submit_dag study.dag\n");
  expect(readme).toContain('  printf %s "$HUB_TOKEN" > secrets/HUB_TOKEN\n');
  expect(readme).toContain("  grown: how many tasks there are is known when listed has run\n");
  expect(readme).toContain("  outputs/total\n");
});
