/**
 * Galaxy morphology: five unbalanced classes of galaxies, told apart by a VGG-like network. The rare ones are augmented.
 * Own images go in as class folders: `--input images=FOLDER`, with FOLDER/CLASS/IMAGE.png.
 */
import { asha, asModel, directory, each, file, logUniform, optional, search, tpe, workflow, z } from "wf";
import { augment, evaluate, fitBaseline, generate, ingest, preprocess, split, train } from "./galaxy/tasks.ts";

export default workflow({
  name: "galaxy",
  inputs: { images: optional(directory()) },
  params: z.object({
    /** How many images are made where none are given. The real set has 28,793. */
    galaxies: z.number().int().min(100).default(2000),
    seed: z.number().int().default(4),
    ratios: z.tuple([z.number(), z.number(), z.number()]).default([0.65, 0.15, 0.2]),
    /** Pixels along a side that are cut out of the middle; 256 for the pictures of Galaxy Zoo. */
    crop: z.number().int().min(16).default(64),
    /** Pixels along a side that the network sees. */
    size: z.number().int().multipleOf(32).min(32).default(64),
    /** Images that one task preprocesses. */
    chunk: z.number().int().min(1).default(330),
    /** Up to how many training images rare classes are augmented. */
    augmented: z.record(z.string(), z.number().int()).default({ "2-cigar-shaped-smooth": 250, "3-edge-on": 250 }),
    /** How many settings the search tries, and after how many epochs it looks at them. */
    trials: z.number().int().min(1).default(4),
    rungs: z.array(z.number().int().min(1)).min(1).default([1, 3]),
    /** How long the best setting is trained. */
    epochs: z.number().int().min(1).default(12),
    threads: z.number().int().min(1).default(2),
  }),
  build({ params, inputs }) {
    const { seed, crop, size, epochs, threads } = params;
    const folders = inputs.images ?? generate({}, { images: params.galaxies, seed }).images;
    const { images } = ingest({ folders }, { crop });
    const parts = split({ images }, { ratios: params.ratios, seed });

    const chunks = { size: params.chunk };
    const trainImages = parts.train
      .chunks(chunks)
      .map((images) => preprocess({ images }, { crop, size }, { as: "preprocess-train" }).images)
      .merge();
    const val = parts.val
      .chunks(chunks)
      .map((images) => preprocess({ images }, { crop, size }, { as: "preprocess-val" }).images)
      .merge();
    const test = parts.test
      .chunks(chunks)
      .map((images) => preprocess({ images }, { crop, size }, { as: "preprocess-test" }).images)
      .merge();

    const more = Object.entries(params.augmented).map(
      ([label, number]) =>
        augment({ images: trainImages }, { label, number, seed }, { as: `augment-${label.replace(/\W+/g, "-")}` }).more,
    );
    const balanced = each([trainImages, ...more]).merge();

    // Each trial is a training of its own, as long as the last rung, and on one core. After so few epochs the share of
    // right answers jumps about; the likelihood, what the true classes are given, is steadier.
    const found = search(
      { bodyLr: logUniform(5e-4, 5e-3), headLr: logUniform(5e-4, 1e-2) },
      ({ params: rates, budget, checkpoint }) =>
        train(
          { train: balanced, val, start: checkpoint },
          { ...rates, epochs: budget, horizon: Math.max(...params.rungs), seed, threads: 1 },
        ),
      {
        trials: params.trials,
        window: 2,
        maximise: "likelihood",
        sampler: tpe({ seed }),
        pruner: asha({ rungs: params.rungs }),
        checkpoint: file("safetensors"),
      },
    );
    const trained = train(
      { train: balanced, val },
      { ...found.best, epochs, horizon: epochs, seed, threads },
      { resources: { cpus: threads, memory: "1GB", time: "2h" } },
    );
    const { baseline } = fitBaseline({ train: balanced });
    const scored = evaluate({ model: trained.model, test, baseline, study: found.study });
    return {
      report: scored.report,
      predictions: scored.predictions,
      study: found.study,
      model: asModel("galaxy-vgg", trained.model, { test_macro_accuracy: scored.metrics.macro_accuracy }),
      test_macro_accuracy: scored.metrics.macro_accuracy,
      test_accuracy: scored.metrics.accuracy,
      baseline_macro_accuracy: scored.metrics.baseline_macro_accuracy,
    };
  },
});
