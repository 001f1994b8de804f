/**
 * Galaxy morphology: five unbalanced classes of galaxies, told apart by a VGG-like network. The rare ones are augmented.
 * Own images go in as class folders: `--input images=FOLDER`, with FOLDER/CLASS/IMAGE.png.
 */
import { directory, each, optional, workflow, z } from "wf";
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
    epochs: z.number().int().min(1).default(12),
    bodyLr: z.number().positive().default(2e-3),
    headLr: z.number().positive().default(4e-3),
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

    const { bodyLr, headLr } = params;
    const trained = train({ train: balanced, val }, { epochs, horizon: epochs, bodyLr, headLr, seed, threads });
    const { baseline } = fitBaseline({ train: balanced });
    const scored = evaluate({ model: trained.model, test, baseline });
    return {
      report: scored.report,
      predictions: scored.predictions,
      model: trained.model,
      test_macro_accuracy: scored.metrics.macro_accuracy,
      test_accuracy: scored.metrics.accuracy,
      baseline_macro_accuracy: scored.metrics.baseline_macro_accuracy,
    };
  },
});
