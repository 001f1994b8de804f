import { asModel, file, task, workflow, z } from "wf";

const points = file("csv");

const split = task({
  name: "split",
  inputs: { all: points },
  outputs: { train: points.as("train"), test: points.as("test") },
  command: ({ inputs, outputs }) => [
    "awk",
    "-v",
    `train=${outputs.train}`,
    "-v",
    `test=${outputs.test}`,
    "{ print > (NR % 5 ? train : test) }",
    inputs.all,
  ],
});

const fit = task({
  name: "fit",
  inputs: { train: points },
  outputs: { model: file("json") },
  params: z.object({ steps: z.number().int(), rate: z.number() }),
  code: { script: "./line/fit.py" },
  command: ({ code, inputs, outputs, params }) => [
    "python3",
    code.script,
    inputs.train,
    outputs.model,
    params.steps,
    params.rate,
  ],
  metrics: ["loss"],
  fits: true,
  resources: { time: "1m" },
});

const score = task({
  name: "score",
  inputs: { model: file("json"), test: points },
  code: { script: "./line/score.py" },
  command: ({ code, inputs }) => ["python3", code.script, inputs.model, inputs.test],
  metrics: ["error", "r2"],
});

export default workflow({
  name: "line",
  params: z.object({ steps: z.number().int().min(1).default(50), rate: z.number().default(0.1) }),
  inputs: { points: file("csv", { path: "data/points.csv" }) },
  build({ inputs, params }) {
    const { train, test } = split({ all: inputs.points });
    const { model } = fit({ train }, params);
    const { error, r2 } = score({ model, test }).metrics;
    return { model: asModel("line", model, { error, r2 }), error, r2 };
  },
});
