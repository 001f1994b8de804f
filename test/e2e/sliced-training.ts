import { fileURLToPath } from "node:url";
import { makeProject, type Outcome, type Project } from "./wf-project.ts";

const PYTHON = fileURLToPath(new URL("../../runtimes/python", import.meta.url));
const EPOCHS = 10;
const BATCHES = 8;

/** The real training loop, with batches that take as long as they are told. */
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
        time.sleep(float(sys.argv[2]))
        return torch.nn.functional.mse_loss(model(batch[0]), batch[1])
    def scores(self, model, data):
        return {"score": -float(torch.nn.functional.mse_loss(model(data[0]), data[1]))}

def main(argv):
    prepare_torch(4, 1)
    x = torch.linspace(-1, 1, 8 * ${BATCHES})[:, None]
    data = (x, 3 * x + 1)
    settings = Settings(epochs=${EPOCHS}, lr=0.02, batch=8, seed=4)
    fit(torch.nn.Linear(1, 1), Line(), data, data, settings, checkpoint=Path(sys.argv[1]))

run(main)
`;

const flow = (time: string) => `
import { file, python, task, workflow, z } from "wf";
const train = task({
  name: "train",
  outputs: { state: file("pt") },
  params: z.object({ nap: z.number() }),
  code: { script: "./train.py" },
  runtime: python(${JSON.stringify(PYTHON)}),
  metrics: ["score"],
  resources: { memory: "600MB", time: "${time}" },
  resumable: { checkpoint: "state" },
  // A machine that is very busy may not come to the first batch in time.
  retries: 3,
  command: ({ code, params, outputs }) => ["python", code.script, outputs.state, params.nap],
});
export default workflow({
  name: "flow",
  params: z.object({ nap: z.number().default(0) }),
  build: ({ params }) => {
    const { state, metrics } = train({}, params);
    return { state, score: metrics.score };
  },
});
`;

/** A workflow with a training that is given so much time for a slice. */
export function slicedTraining(time: string, files: Readonly<Record<string, string>> = {}): Project {
  return makeProject({ "flow.ts": flow(time), "train.py": TRAIN, ...files });
}

/** Words that make the training take so many seconds, apart from its start. */
export function taking(seconds: number): readonly string[] {
  return ["--param", `nap=${seconds / EPOCHS / BATCHES}`];
}

/** How its attempts ended, in order. */
export function endsOf({ events }: Outcome): readonly string[] {
  const finished = events.filter(({ type }) => type === "attempt.finished");
  return finished.map(({ record }) => record.failure?.class ?? "done");
}

export function secondsOf({ events }: Outcome): number {
  const finished = events.filter(({ type }) => type === "attempt.finished");
  return finished.reduce((sum, { record }) => sum + record.usage.wallSeconds, 0);
}

/** The content of the last checkpoint. */
export function stateOf({ events }: Outcome): string {
  return events.find(({ type }) => type === "task.ended")?.outputs.state.hash;
}

/** The epochs whose scores are shown. */
export async function epochsShown(project: Project, run: string): Promise<readonly number[]> {
  const [shown] = (await project.wf(["show", run, "train", "--json"])).events;
  const score = shown?.series.find(({ name }: { name: string }) => name === "score");
  return score.points.map(({ step }: { step: number }) => step);
}

export const ALL_EPOCHS: readonly number[] = Array.from({ length: EPOCHS }, (_, index) => index + 1);
