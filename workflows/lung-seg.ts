/**
 * Lungs in chest X-rays: a U-Net learns to draw them, and is compared with a threshold that learns nothing.
 * Own X-rays go in with `--input xrays=FOLDER` (images/NAME.png, masks/NAME.png, and patients.csv where it is known);
 * `--input apply=FOLDER` sends a folder of X-rays without masks through the trained model.
 */
import { asha, asModel, choice, directory, file, logUniform, optional, search, tpe, workflow, z } from "wf";
import { apply, augment, evaluate, generate, infer, ingest, preprocess, split, train } from "./lung-seg/tasks.ts";

export default workflow({
  name: "lung-seg",
  inputs: { xrays: optional(directory()), apply: optional(directory()) },
  params: z.object({
    /** How many patients are made up where no X-rays are given; each has one to three images. */
    patients: z.number().int().min(6).default(140),
    ratios: z.tuple([z.number(), z.number(), z.number()]).default([0.7, 0.2, 0.1]),
    /** Pixels along a side that the network sees. */
    size: z.number().int().multipleOf(8).min(32).default(64),
    /** Images that one task preprocesses and augments. */
    chunk: z.number().int().min(1).default(64),
    /** How many settings the search tries, and after how many epochs it looks at them. */
    trials: z.number().int().min(1).default(4),
    rungs: z.array(z.number().int().min(1)).min(1).default([1, 3]),
    /** How long the best setting is trained. */
    epochs: z.number().int().min(1).default(5),
    /** It ends after so many epochs without a better score on validation data. */
    patience: z.number().int().min(1).default(6),
    seed: z.number().int().default(4),
    threads: z.number().int().min(1).default(2),
    /** The best setting is trained by so many processes on each of so many nodes, each with its own threads. */
    nodes: z.number().int().min(1).default(1),
    processes: z.number().int().min(1).default(1),
  }),
  build({ params, inputs }) {
    const { size, epochs, patience, seed, threads, nodes, processes } = params;
    const xrays = inputs.xrays
      ? ingest({ folder: inputs.xrays }).xrays
      : generate({}, { patients: params.patients, seed }).xrays;
    const parts = split({ xrays }, { ratios: params.ratios, seed });

    const chunks = { size: params.chunk };
    const fitted = parts.train
      .chunks(chunks)
      .map((xrays) => preprocess({ xrays }, { size }, { as: "preprocess-train" }).xrays);
    const more = fitted.map((xrays) => augment({ xrays }, { seed }).xrays);
    const val = parts.val
      .chunks(chunks)
      .map((xrays) => preprocess({ xrays }, { size }, { as: "preprocess-val" }).xrays)
      .merge();
    const test = parts.test
      .chunks(chunks)
      .map((xrays) => preprocess({ xrays }, { size }, { as: "preprocess-test" }).xrays)
      .merge();

    // Settings are compared on the images as they are, a third of what the best one is trained on, and on one core each.
    const plain = fitted.merge();
    const found = search(
      { lr: logUniform(3e-4, 3e-2), batch: choice([8, 16]) },
      ({ params, budget, checkpoint }) =>
        train(
          { train: plain, val, start: checkpoint },
          { ...params, epochs: budget, horizon: epochs, seed, threads: 1 },
        ),
      {
        trials: params.trials,
        window: 2,
        maximise: "dice",
        sampler: tpe({ seed }),
        pruner: asha({ rungs: params.rungs }),
        checkpoint: file("safetensors"),
      },
    );
    const trained = train(
      { train: more.merge(), val },
      { ...found.best, epochs, horizon: epochs, patience, seed, threads },
      { resources: { nodes, processes, cpus: threads, memory: "1GB", time: "6h" } },
    );
    const { masks } = infer({ model: trained.model, xrays: test });
    const judged = evaluate({
      masks,
      truth: parts.test,
      trained: trained.summary,
      split: parts.summary,
      study: found.study,
    });
    const { test_dice, test_iou, baseline_dice } = judged.metrics;
    return {
      report: judged.report,
      scores: judged.scores,
      study: found.study,
      model: asModel("lung-unet", trained.model, { test_dice, test_iou }),
      masks,
      ...(inputs.apply ? { applied: apply({ model: trained.model, folder: inputs.apply }).found } : {}),
      test_dice,
      test_iou,
      baseline_dice,
    };
  },
});
