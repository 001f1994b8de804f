import { expect, test } from "vitest";
import { sampleSettings } from "../testing/sample-settings.ts";
import { pilotJob, pilotRequest, pilotScript } from "./pilot-submission.ts";

const partition = { name: "main", gpusPerNode: 2, gres: "gpu:a100" };
const settings = sampleSettings({
  partitions: [partition],
  account: "lungs",
  setup: ["module load python/3.11"],
  pilots: { cpus: 8, memory: "16GB", gpus: 1, time: "2h" },
});
const pilots = settings.pilots as NonNullable<typeof settings.pilots>;

test("a pilot is a job that has what its settings say, and runs once", () => {
  const place = {
    run: "it's 1",
    storage: "/scratch/me/wf",
    python: "python3",
    launcher: "/scratch/me/wf/tools/l",
    folder: "/scratch/me/wf/runs/it's 1/submissions/pilot-1",
  };
  const request = pilotRequest(pilots);
  const script = pilotScript(place, {
    token: "pilot-1",
    request,
    partition: settings.partitions[0] ?? null,
    settings,
    excludedNodes: ["n7"],
    after: [],
  });
  expect(script.replace(/pilot-it_s_1-\w{16}/, "NAME")).toBe(`#!/bin/sh
#SBATCH --job-name=NAME
#SBATCH --partition=main
#SBATCH --account=lungs
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=15259M
#SBATCH --gres=gpu:a100:1
#SBATCH --time=122
#SBATCH --exclude=n7
#SBATCH --no-requeue
#SBATCH --export=ALL
#SBATCH --output=output/0.txt
#SBATCH --open-mode=append

# Made by wf: a pilot, which works off the jobs in the mailbox of its run.
cd '/scratch/me/wf/runs/it'\\''s 1/submissions/pilot-1' || exit 76
mkdir started/0 || exit 75
WF_SETUP_BEFORE="$(env -u WF_SECRETS -u WF_SECRETS_PAD cat /proc/self/environ | tr '\\000' '\\001')"
module load python/3.11
WF_SETUP_AFTER="$(env -u WF_SECRETS -u WF_SECRETS_PAD cat /proc/self/environ | tr '\\000' '\\001')"
export WF_SETUP_BEFORE WF_SETUP_AFTER
exec python3 -I -S /scratch/me/wf/tools/l pilot /scratch/me/wf 'it'\\''s 1' pilot-1 jobs/0.json
`);
});

test("what it may use and how long it works stands in the place of a job, without tasks", () => {
  expect(pilotJob("pilot-1", pilots)).toEqual({
    job: "pilot-1",
    tasks: [],
    cpus: 8,
    memoryBytes: 16e9,
    gpus: 1,
    idleSeconds: 30,
    timeSeconds: 7140,
  });
});
