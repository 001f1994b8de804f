/** Which curve fits noisy points best? A search whose trials are one awk each. */
import { asha, choice, file, logUniform, optional, search, task, tpe, uniform, workflow, z } from "wf";

const fit = task({
  name: "fit",
  inputs: { start: optional(file("txt")) },
  params: z.object({ rate: z.number(), slope: z.number(), kind: z.enum(["line", "curve"]), steps: z.number() }),
  outputs: { state: file("txt") },
  metrics: ["loss"],
  code: { script: "./fit.awk" },
  command: ({ inputs, params, outputs, code }) => [
    "awk",
    "-f",
    code.script,
    params.rate,
    params.slope,
    params.kind,
    params.steps,
    outputs.state,
    inputs.start,
  ],
});

export default workflow({
  name: "searching",
  params: z.object({ trials: z.number().int().default(8) }),
  build({ params: { trials } }) {
    const space = { rate: logUniform(1e-3, 1), slope: uniform(-2, 2), kind: choice(["line", "curve"]) };

    const found = search(space, ({ params }) => fit({}, { ...params, steps: 5 }), { trials, minimise: "loss" });
    const fitted = fit({}, { ...found.best, steps: 50 }, { as: "fit-best" });

    const climbed = search(
      space,
      ({ params, budget, checkpoint }) => {
        const { metrics, state } = fit({ start: checkpoint }, { ...params, steps: budget });
        return { loss: metrics.loss, checkpoint: state };
      },
      {
        trials,
        window: 2,
        minimise: "loss",
        sampler: tpe({ seed: 7 }),
        pruner: asha({ rungs: [2, 6, 18] }),
        checkpoint: file("txt"),
        as: "climb",
      },
    );

    return { loss: fitted.metrics.loss, study: found.study, climbed: climbed.study };
  },
});
