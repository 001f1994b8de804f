import { dataset, file, json, many, optional, python, Study, task, z } from "wf";

/** Droplets and, as masks, the spheroids in them. */
export const labelled = dataset({ image: file(), mask: file() });

/** Droplets as they come from the microscope. */
export const droplets = dataset({ image: file() });

/** A few of very many images, with outlines, for a person to look at. */
const examples = dataset({
  picture: file("png"),
  about: json(z.object({ name: z.string(), why: z.string(), count: z.number(), areas: z.array(z.number()) })),
});

const ml = python("../../runtimes/python");

/** Droplets with spheroids and masks, and reflections at the border that are as dark as spheroids. */
export const generate = task({
  name: "generate",
  outputs: { droplets: dataset({ image: file("png"), mask: file("png"), count: json(z.number()) }).as("unsplit") },
  params: z.object({ images: z.number(), seed: z.number() }),
  metrics: ["images", "spheroids"],
  resources: { cpus: 2 },
  runtime: ml,
  command: ({ outputs, params }) => [
    ...["python", "-m", "wf_ml.spheroids.generate"],
    ...["--out", outputs.droplets],
    ...["--images", params.images],
    ...["--seed", params.seed],
    ...["--workers", "2"],
  ],
});

export const split = task({
  name: "split",
  inputs: { images: labelled },
  outputs: { train: labelled.as("train"), val: labelled.as("val"), test: labelled.as("test") },
  params: z.object({ ratios: z.tuple([z.number(), z.number(), z.number()]), seed: z.number() }),
  metrics: ["train", "val", "test"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.spheroids.split"],
    ...["--images", inputs.images],
    ...["--train", outputs.train, "--val", outputs.val, "--test", outputs.test],
    "--ratios",
    params.ratios,
    ...["--seed", params.seed],
  ],
});

/** A small U-Net. Threads change the numbers, so they are a parameter. */
export const train = task({
  name: "train",
  inputs: { train: labelled, val: labelled, start: optional(file("safetensors")) },
  outputs: { model: file("safetensors"), checkpoint: file("safetensors") },
  params: z.object({
    /** In all, with those of the checkpoint. */
    epochs: z.number(),
    /** Over how many epochs the learning rate falls. */
    horizon: z.number(),
    lr: z.number(),
    batch: z.number(),
    seed: z.number(),
    threads: z.number(),
  }),
  metrics: ["dice", "val_loss", "best_epoch"],
  fits: true,
  resources: { cpus: 1, memory: "1GB", time: "2h" },
  resumable: { checkpoint: "checkpoint" },
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.spheroids.train"],
    ...["--train", inputs.train, "--val", inputs.val],
    ...["--out", outputs.model, "--checkpoint", outputs.checkpoint],
    ...["--epochs", params.epochs, "--horizon", params.horizon],
    ...["--lr", params.lr, "--batch", params.batch],
    ...["--seed", params.seed, "--threads", params.threads],
    `--start=${inputs.start}`,
  ],
});

/** Counts and outlines in test images, beside the truth and Otsu's threshold. */
export const evaluate = task({
  name: "evaluate",
  inputs: { model: file("safetensors"), test: labelled, study: optional(json(Study)) },
  outputs: { report: file("html") },
  metrics: ["count_error", "area_error", "dice", "baseline_count_error", "baseline_dice"],
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.spheroids.evaluate"],
    ...["--model", inputs.model],
    ...["--test", inputs.test],
    ...["--report", outputs.report],
    `--study=${inputs.study}`,
  ],
});

/** Masks, counts and areas of a piece. The model is loaded once; memory does not grow with the number of images. */
export const apply = task({
  name: "apply",
  inputs: { model: file("safetensors"), images: droplets },
  outputs: { masks: dataset({ mask: file("png") }), table: file("csv"), examples },
  params: z.object({ batch: z.number(), leastArea: z.number() }),
  metrics: ["images", "images_per_second"],
  resources: { memory: "500MB", time: "1h" },
  retries: 1,
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.spheroids.apply"],
    ...["--model", inputs.model],
    ...["--images", inputs.images],
    ...["--masks", outputs.masks],
    ...["--table", outputs.table],
    ...["--examples", outputs.examples],
    ...["--batch", params.batch, "--least-area", params.leastArea],
  ],
});

/** One table of all pieces, and a page with counts, sizes and examples. */
export const gallery = task({
  name: "gallery",
  inputs: { tables: many(file("csv")), examples },
  outputs: { page: file("html"), table: file("csv") },
  params: z.object({ pixel: z.number() }),
  metrics: ["images", "spheroids", "mean_area"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.spheroids.gallery"],
    ...["--examples", inputs.examples],
    ...["--pixel", params.pixel],
    ...["--table", outputs.table],
    ...["--page", outputs.page],
    inputs.tables,
  ],
});
