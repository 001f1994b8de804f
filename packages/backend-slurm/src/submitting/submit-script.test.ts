import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleJob, sampleTask } from "@wf/backend/testing";
import type { JobSpec } from "@wf/protocol";
import type { SlurmSettings } from "@wf/site";
import { afterEach, expect, test } from "vitest";
import { sampleSettings } from "../testing/sample-settings.ts";
import { requestOf } from "./job-request.ts";
import { fitPartition } from "./slurm-request.ts";
import { submitScript } from "./submit-script.ts";

const place = {
  run: "r1",
  folder: "/scratch/me/wf/runs/r1/slurm/TOKEN",
  python: "python3",
  launcher: "/scratch/me/wf/tools/wf-launcher",
};

function script(
  jobs: readonly JobSpec[],
  settings: SlurmSettings,
  { excludedNodes = [], after = [] }: { excludedNodes?: readonly string[]; after?: readonly string[] } = {},
): string {
  const fit = fitPartition(jobs[0] as JobSpec, settings.partitions);
  if (fit.type === "none") throw new Error(fit.message);
  return submitScript(
    { ...fit.request, name: "wf-r1-TOKEN", elements: jobs.length, settings, excludedNodes, after },
    place,
  );
}

test("jobs of others have to end well before it starts", () => {
  expect(script([sampleJob([sampleTask("a@1")])], sampleSettings(), { after: ["12", "14_3"] })).toContain(
    "#SBATCH --dependency=afterok:12:14_3\n",
  );
});

test("the plainest job on a cluster of which nothing is known", () => {
  expect(script([sampleJob([sampleTask("sort@1")])], sampleSettings())).toMatchInlineSnapshot(`
    "#!/bin/sh
    #SBATCH --job-name=wf-r1-TOKEN
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --cpus-per-task=1
    #SBATCH --no-requeue
    #SBATCH --export=ALL
    #SBATCH --output=output/0.txt
    #SBATCH --open-mode=append

    # Made by wf for the run r1. Element N runs jobs/N.json, and table.json says which tasks that are.
    cd /scratch/me/wf/runs/r1/slurm/TOKEN || exit 76
    index="\${SLURM_ARRAY_TASK_ID:-0}"
    exec python3 -I -S /scratch/me/wf/tools/wf-launcher/__main__.py run "jobs/$index.json" "started/$index"
    "
  `);
});

test("a distributed task: its ranks over nodes, what each rank needs, and what a node must have", () => {
  const settings = sampleSettings({
    partitions: [
      { name: "small", maxNodes: 1 },
      { name: "gpu", maxNodes: 8, cpusPerNode: 16, gpusPerNode: 4 },
    ],
  });
  const train = sampleTask("train@1", { ranks: { nodes: 2, perNode: 4, launch: null }, cpus: 32, gpus: 8 });
  const job = sampleJob([train], { cpus: 32, gpus: 8, memoryBytes: 64 * 2 ** 30 });
  expect(script([job], settings)).toMatchInlineSnapshot(`
    "#!/bin/sh
    #SBATCH --job-name=wf-r1-TOKEN
    #SBATCH --partition=gpu
    #SBATCH --nodes=2
    #SBATCH --ntasks-per-node=4
    #SBATCH --cpus-per-task=4
    #SBATCH --mem=32768M
    #SBATCH --gres=gpu:4
    #SBATCH --no-requeue
    #SBATCH --export=ALL
    #SBATCH --output=output/0.txt
    #SBATCH --open-mode=append

    # Made by wf for the run r1. Element N runs jobs/N.json, and table.json says which tasks that are.
    cd /scratch/me/wf/runs/r1/slurm/TOKEN || exit 76
    index="\${SLURM_ARRAY_TASK_ID:-0}"
    exec python3 -I -S /scratch/me/wf/tools/wf-launcher/__main__.py run "jobs/$index.json" "started/$index"
    "
  `);
});

test("nodes that are too small for the ranks of one node are named", () => {
  const settings = sampleSettings({ partitions: [{ name: "thin", cpusPerNode: 4 }] });
  const wide = sampleTask("train@1", { ranks: { nodes: 2, perNode: 4, launch: null }, cpus: 16 });
  expect(() => script([sampleJob([wide], { cpus: 16 })], settings)).toThrow(
    "no partition of the site fits 2 nodes with 8 cpus, 0 bytes, 0 GPUs: thin has 4 cpus a node",
  );
});

test("a large array on a GPU partition, with everything that a site can say", () => {
  const settings = sampleSettings({
    account: "lab",
    qos: "normal",
    constraint: "skylake",
    exclusive: true,
    directives: ["--mail-type=FAIL", "--comment=wf"],
    setup: ["module load python/3.11", 'export OMP_PLACES="cores"'],
    shell: "/bin/bash -l",
    limits: { arrayAtOnce: 50 },
    partitions: [
      { name: "short", maxTime: "1m", cpusPerNode: 8, memoryPerNode: "8GB" },
      { name: "gpu", maxTime: "2h", gpusPerNode: 4, gres: "gpu:a100", account: "gpulab", constraint: "a100&nvlink" },
    ],
  });
  const jobs = Array.from({ length: 500 }, (_, index) =>
    sampleJob([sampleTask(`train.${index}@1`, { timeLimitSeconds: 3600, gpus: 2 })], {
      cpus: 4,
      gpus: 2,
      memoryBytes: 16e9,
    }),
  );
  expect(script(jobs, settings, { excludedNodes: ["n07", "n12"] })).toMatchInlineSnapshot(`
    "#!/bin/bash -l
    #SBATCH --job-name=wf-r1-TOKEN
    #SBATCH --partition=gpu
    #SBATCH --account=gpulab
    #SBATCH --qos=normal
    #SBATCH --constraint=a100&nvlink
    #SBATCH --nodes=1
    #SBATCH --ntasks-per-node=1
    #SBATCH --cpus-per-task=4
    #SBATCH --mem=15259M
    #SBATCH --gres=gpu:a100:2
    #SBATCH --time=62
    #SBATCH --exclusive
    #SBATCH --exclude=n07,n12
    #SBATCH --array=0-499%50
    #SBATCH --no-requeue
    #SBATCH --export=ALL
    #SBATCH --output=output/%a.txt
    #SBATCH --open-mode=append
    #SBATCH --mail-type=FAIL
    #SBATCH --comment=wf

    # Made by wf for the run r1. Element N runs jobs/N.json, and table.json says which tasks that are.
    cd /scratch/me/wf/runs/r1/slurm/TOKEN || exit 76
    index="\${SLURM_ARRAY_TASK_ID:-0}"
    WF_SETUP_BEFORE="$(env -u WF_SECRETS -u WF_SECRETS_PAD cat /proc/self/environ | tr '\\000' '\\001')"
    module load python/3.11
    export OMP_PLACES="cores"
    WF_SETUP_AFTER="$(env -u WF_SECRETS -u WF_SECRETS_PAD cat /proc/self/environ | tr '\\000' '\\001')"
    export WF_SETUP_BEFORE WF_SETUP_AFTER
    exec python3 -I -S /scratch/me/wf/tools/wf-launcher/__main__.py run "jobs/$index.json" "started/$index"
    "
  `);
});

test("a time limit is rounded up to minutes, with room for staging, and stays within the partition's", () => {
  const settings = sampleSettings({
    partitions: [
      { name: "short", maxTime: "1m" },
      { name: "long", maxTime: "1d" },
    ],
  });
  const limited = (timeLimitSeconds: number) =>
    script([sampleJob([sampleTask("a@1", { timeLimitSeconds })])], settings)
      .split("\n")
      .filter((line) => /partition|time/.test(line));
  expect(limited(60)).toEqual(["#SBATCH --partition=short", "#SBATCH --time=1"]);
  expect(limited(61)).toEqual(["#SBATCH --partition=long", "#SBATCH --time=4"]);
  expect(limited(86_400)).toEqual(["#SBATCH --partition=long", "#SBATCH --time=1440"]);
});

test("a task without a limit has that of the site", () => {
  expect(script([sampleJob([sampleTask("a@1")])], sampleSettings({ time: "90m" }))).toContain("#SBATCH --time=90\n");
});

test.each([
  ["119s", 1],
  ["120s", 2],
  ["121s", 2],
  ["30s", 1],
])("a partition of %s: SLURM would leave more minutes than that in the queue for ever", (maxTime, minutes) => {
  const settings = sampleSettings({ partitions: [{ name: "odd", maxTime }] });
  const timeLimitSeconds = Number.parseInt(maxTime, 10);
  const asked = [sampleTask("a@1", { timeLimitSeconds }), sampleTask("b@1")];
  for (const task of asked) {
    const lines = script([sampleJob([task])], { ...settings, time: 3600 });
    expect(lines).toContain(`#SBATCH --time=${minutes}\n`);
  }
});

test("a partition's own quality of service goes before the site's", () => {
  const settings = sampleSettings({ qos: "normal", partitions: [{ name: "gpu", qos: "gpu-short" }] });
  const lines = script([sampleJob([sampleTask("a@1")])], settings);
  expect(lines).toContain("#SBATCH --qos=gpu-short\n");
  expect(lines).not.toContain("--qos=normal");
});

test("ranks whose cpus are no whole number get the next one", () => {
  const train = sampleTask("train@1", { ranks: { nodes: 1, perNode: 2, launch: null }, cpus: 3 });
  expect(script([sampleJob([train], { cpus: 3 })], sampleSettings())).toContain("#SBATCH --cpus-per-task=2\n");
});

let folder: string | undefined;
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

function scriptIn(where: string): string {
  const settings = sampleSettings();
  const request = requestOf(sampleJob([sampleTask("a@1")]));
  return submitScript(
    { name: "wf-r1-TOKEN", request, partition: null, elements: 2, settings, excludedNodes: [], after: [] },
    { run: "r\n1", folder: where, python: "python3", launcher: where },
  );
}

/** Runs the script in a folder with an unpleasant name, with a stand-in for the launcher that prints what it gets. */
function runScript(index?: string): { readonly status: number | null; readonly stdout: string } {
  folder ??= mkdtempSync(join(tmpdir(), `wf it's a "folder" `));
  const print = "import os, sys\nprint(sys.argv[1:], os.getcwd() == os.path.realpath(os.path.dirname(__file__)))\n";
  writeFileSync(join(folder, "__main__.py"), print);
  const env = { PATH: process.env.PATH ?? "", ...(index === undefined ? {} : { SLURM_ARRAY_TASK_ID: index }) };
  const { status, stdout } = spawnSync("/bin/sh", ["-s"], { input: scriptIn(folder), env, encoding: "utf8" });
  return { status, stdout };
}

test("an element runs its own job, in the folder of the submission, and has its own mark", () => {
  expect(runScript("7")).toEqual({ status: 0, stdout: "['run', 'jobs/7.json', 'started/7'] True\n" });
  expect(runScript()).toEqual({ status: 0, stdout: "['run', 'jobs/0.json', 'started/0'] True\n" });
});

test("where the storage cannot be used, the script says so by its status", () => {
  const gone = script([sampleJob([sampleTask("a@1")])], sampleSettings());
  expect(spawnSync("/bin/sh", ["-s"], { input: gone, encoding: "utf8" }).status).toBe(76);
});
