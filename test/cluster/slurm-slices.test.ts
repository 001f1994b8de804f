/** A training that takes longer than SLURM lets it run: it goes on in the next job, to the same bits. */
import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { finishOf, makeProject, type Project } from "../e2e/wf-project.ts";

const found = inject("slurm");
const cluster = found as SlurmCluster;
const WF_ML = fileURLToPath(new URL("../../runtimes/python/src/wf_ml", import.meta.url));
/** Longer than the minute of the partition, with the seconds that the jobs wait. It is the price of this test. */
const TRAINING_SECONDS = 66;
const TIMEOUT_MS = 240_000;

/** The real training loop, with a batch that takes as long as it is told. */
const TRAIN = `
import sys, time
from pathlib import Path
import torch
from wf_ml.command import run
from wf_ml.seeds import prepare_torch
from wf_ml.training.loop import fit
from wf_ml.training.settings import Settings

class Line:
    watch = "score"
    def loss(self, model, batch):
        time.sleep(float(sys.argv[3]))
        return torch.nn.functional.mse_loss(model(batch[0]), batch[1])
    def scores(self, model, data):
        return {"score": -float(torch.nn.functional.mse_loss(model(data[0]), data[1]))}

def main(argv):
    prepare_torch(4, 1)
    x = torch.linspace(-1, 1, 64)[:, None]
    data = (x, 3 * x + 1)
    settings = Settings(epochs=int(sys.argv[2]), lr=0.02, batch=8, seed=4)
    fit(torch.nn.Linear(1, 1), Line(), data, data, settings, checkpoint=Path(sys.argv[1]))

run(main)
`;
const FLOW = `
import { file, task, workflow, z } from "wf";
const train = task({
  name: "train",
  outputs: { state: file("pt") },
  params: z.object({ epochs: z.number(), nap: z.number() }),
  code: { script: "./train.py", wf_ml: "./wf_ml" },
  metrics: ["score"],
  resources: { memory: "600MB", time: "1h" },
  resumable: { checkpoint: "state" },
  env: { PYTHONPATH: "code" },
  command: ({ code, params, outputs }) => ["/usr/bin/python3", code.script, outputs.state, params.epochs, params.nap],
});
export default workflow({
  name: "flow",
  params: z.object({ epochs: z.number(), nap: z.number() }),
  build: ({ params }) => {
    const { state, metrics } = train({}, params);
    return { state, score: metrics.score };
  },
});
`;

function training(): Project {
  const storage = mkdtempSync(join(cluster.folder, "slices-"));
  const partition = "{ name: short, maxTime: 1m, cpusPerNode: 8 }";
  const slurm = `{ partitions: [${partition}], batchWindow: 0.05s, poll: { every: 1s, atMost: 5s } }`;
  const site = `sites:\n  cluster:\n    backend: slurm\n    storage: ${storage}\n    python: /usr/bin/python3\n    slurm: ${slurm}\n`;
  const project = makeProject({ "flow.ts": FLOW, "train.py": TRAIN, "sites.yaml": site });
  cpSync(WF_ML, project.path("wf_ml"), { recursive: true, filter: (path) => !path.includes("__pycache__") });
  return project;
}

describe.skipIf(found === null)("a training on a partition of one minute", () => {
  test("goes on in slices, and ends with the bits of one that was never interrupted", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const project = training();
    const env = { SLURM_CONF: cluster.slurmConf };
    const epochs = 10;
    const batches = 8;
    const nap = TRAINING_SECONDS / epochs / batches;
    const parameters = (seconds: number) => ["-p", `epochs=${epochs}`, "-p", `nap=${seconds}`];
    const sliced = await project.wf(["run", "flow.ts", "--json", "--site", "cluster", ...parameters(nap)], { env });
    expect(finishOf(sliced)?.status, sliced.stdout + sliced.stderr).toBe("succeeded");
    const records = sliced.events.filter(({ type }) => type === "attempt.finished").map(({ record }) => record);
    expect(records.map(({ failure }) => failure?.class ?? "done")).toEqual(["slice-ended", "done"]);
    expect(records.reduce((sum, { usage }) => sum + usage.wallSeconds, 0)).toBeGreaterThan(60);

    const whole = await project.wf(["run", "flow.ts", "--json", ...parameters(0)], { env });
    const stateOf = ({ events }: typeof whole) => events.find(({ type }) => type === "task.ended")?.outputs.state.hash;
    expect(finishOf(whole)?.status, whole.stdout + whole.stderr).toBe("succeeded");
    expect(stateOf(sliced)).toBe(stateOf(whole));

    const [shown] = (await project.wf(["show", finishOf(sliced)?.run as string, "train", "--json"])).events;
    const score = shown?.series.find(({ name }: { name: string }) => name === "score");
    expect(score.points.map(({ step }: { step: number }) => step)).toEqual(
      Array.from({ length: epochs }, (_, i) => i + 1),
    );
  });
});
