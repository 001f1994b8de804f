/**
 * Trains a network that finds tumour spheroids in droplets, on which Otsu's threshold fails: reflections at the border
 * of a droplet are as dark as spheroids. Own images go in as `--input labelled=FOLDER` with FOLDER/image/a.png and
 * FOLDER/mask/a.png.
 */
import { asha, asModel, choice, file, logUniform, optional, random, search, workflow, z } from "wf";
import { evaluate, generate, labelled, split, train } from "./spheroids/tasks.ts";

export default workflow({
  name: "spheroids-train",
  inputs: { labelled: optional(labelled) },
  params: z.object({
    /** How many labelled droplets are made where none are given. */
    droplets: z.number().int().min(20).default(600),
    seed: z.number().int().default(4),
    ratios: z.tuple([z.number(), z.number(), z.number()]).default([0.6, 0.15, 0.25]),
    /** How many settings the search tries, and after how many epochs it looks at them. */
    trials: z.number().int().min(1).default(4),
    rungs: z.array(z.number().int().min(1)).min(1).default([1, 3]),
    /** How long the best setting is trained. */
    epochs: z.number().int().min(1).default(8),
    threads: z.number().int().min(1).default(2),
  }),
  build({ params, inputs }) {
    const { seed, epochs, threads } = params;
    const images = inputs.labelled ?? generate({}, { images: params.droplets, seed }).droplets.pick("image", "mask");
    const parts = split({ images }, { ratios: params.ratios, seed });
    // Random search, as in the paper that this follows.
    const found = search(
      { lr: logUniform(1e-3, 2e-2), batch: choice([4, 8]) },
      ({ params: setting, budget, checkpoint }) =>
        train(
          { train: parts.train, val: parts.val, start: checkpoint },
          { ...setting, epochs: budget, horizon: Math.max(...params.rungs), seed, threads: 1 },
        ),
      {
        trials: params.trials,
        window: 2,
        maximise: "dice",
        sampler: random({ seed }),
        pruner: asha({ rungs: params.rungs }),
        checkpoint: file("safetensors"),
      },
    );
    const trained = train(
      { train: parts.train, val: parts.val },
      { ...found.best, epochs, horizon: epochs, seed, threads },
      { resources: { cpus: threads, memory: "1GB", time: "2h" } },
    );
    const scored = evaluate({ model: trained.model, test: parts.test, study: found.study });
    return {
      model: asModel("spheroid-unet", trained.model, { count_error: scored.metrics.count_error }),
      study: found.study,
      report: scored.report,
      count_error: scored.metrics.count_error,
      test_dice: scored.metrics.dice,
      baseline_count_error: scored.metrics.baseline_count_error,
      baseline_dice: scored.metrics.baseline_dice,
    };
  },
});
