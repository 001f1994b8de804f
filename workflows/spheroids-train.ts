/**
 * Trains a network that finds tumour spheroids in droplets, on which Otsu's threshold fails: reflections at the border
 * of a droplet are as dark as spheroids. Own images go in as `--input labelled=FOLDER` with FOLDER/image/a.png and
 * FOLDER/mask/a.png.
 */
import { optional, workflow, z } from "wf";
import { evaluate, generate, labelled, split, train } from "./spheroids/tasks.ts";

export default workflow({
  name: "spheroids-train",
  inputs: { labelled: optional(labelled) },
  params: z.object({
    /** How many labelled droplets are made where none are given. */
    droplets: z.number().int().min(20).default(600),
    seed: z.number().int().default(4),
    ratios: z.tuple([z.number(), z.number(), z.number()]).default([0.6, 0.15, 0.25]),
    epochs: z.number().int().min(1).default(10),
    lr: z.number().positive().default(4e-3),
    /** Channels at full size. */
    width: z.number().int().min(2).default(8),
    threads: z.number().int().min(1).default(2),
  }),
  build({ params, inputs }) {
    const { seed, epochs, lr, width, threads } = params;
    const images = inputs.labelled ?? generate({}, { images: params.droplets, seed }).droplets.pick("image", "mask");
    const parts = split({ images }, { ratios: params.ratios, seed });
    const trained = train(
      { train: parts.train, val: parts.val },
      { epochs, horizon: epochs, lr, width, seed, threads },
    );
    const scored = evaluate({ model: trained.model, test: parts.test });
    return {
      model: trained.model,
      report: scored.report,
      count_error: scored.metrics.count_error,
      test_dice: scored.metrics.dice,
      baseline_count_error: scored.metrics.baseline_count_error,
      baseline_dice: scored.metrics.baseline_dice,
    };
  },
});
