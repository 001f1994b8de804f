import { dataset, directory, file, json, optional, python, Study, task, z } from "wf";

/** Images of galaxies, each with its class. */
export const galaxies = dataset({ image: file("png"), label: json(z.string()) });

const raw = dataset({ image: file(), label: json(z.string()) });
const ml = python("../../runtimes/python");

/** Pictures of galaxies in class folders, about so many, as unbalanced as those of Galaxy Zoo. */
export const generate = task({
  name: "generate",
  outputs: { images: directory().as("unsplit") },
  params: z.object({ images: z.number(), seed: z.number() }),
  metrics: ["images"],
  resources: { cpus: 2 },
  runtime: ml,
  command: ({ outputs, params }) => [
    ...["python", "-m", "wf_ml.galaxy.generate"],
    ...["--out", outputs.images],
    ...["--images", params.images],
    ...["--seed", params.seed],
    ...["--workers", "2"],
  ],
});

/** Class folders become a dataset. Every image is opened, so that a broken one is found before anything is trained. */
export const ingest = task({
  name: "ingest",
  inputs: { folders: directory() },
  outputs: { images: raw },
  params: z.object({ crop: z.number() }),
  metrics: ["images", "classes"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.galaxy.ingest"],
    ...["--images", inputs.folders],
    ...["--out", outputs.images],
    ...["--crop", params.crop],
  ],
});

/** Each class in the same proportions in train, validation and test. */
export const split = task({
  name: "split",
  inputs: { images: raw },
  outputs: { train: raw.as("train"), val: raw.as("val"), test: raw.as("test") },
  params: z.object({ ratios: z.tuple([z.number(), z.number(), z.number()]), seed: z.number() }),
  metrics: ["train", "val", "test"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.galaxy.split"],
    ...["--images", inputs.images],
    ...["--train", outputs.train, "--val", outputs.val, "--test", outputs.test],
    "--ratios",
    params.ratios,
    ...["--seed", params.seed],
  ],
});

/** Cuts out the middle of each image, `crop` pixels along a side, and scales it to `size`. */
export const preprocess = task({
  name: "preprocess",
  inputs: { images: raw },
  outputs: { images: galaxies },
  params: z.object({ crop: z.number(), size: z.number() }),
  metrics: ["images"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.galaxy.preprocess"],
    ...["--images", inputs.images],
    ...["--out", outputs.images],
    ...["--crop", params.crop, "--size", params.size],
  ],
});

/** Turned, mirrored and brightened copies of a rare class, until it has `number` images. Gives the new ones alone. */
export const augment = task({
  name: "augment",
  inputs: { images: galaxies },
  outputs: { more: galaxies },
  params: z.object({ label: z.string(), number: z.number(), seed: z.number() }),
  metrics: ["images"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.galaxy.augment"],
    ...["--images", inputs.images],
    ...["--out", outputs.more],
    ...["--label", params.label, "--number", params.number],
    ...["--seed", params.seed],
  ],
});

/** A VGG-like network, from the start or from a checkpoint of the same training. Threads change numbers: they are a parameter. */
export const train = task({
  name: "train",
  inputs: { train: galaxies, val: galaxies, start: optional(file("safetensors")) },
  outputs: { model: file("safetensors"), checkpoint: file("safetensors") },
  params: z.object({
    /** In all, with those of the checkpoint. */
    epochs: z.number(),
    /** Over how many epochs the learning rates fall. */
    horizon: z.number(),
    bodyLr: z.number(),
    headLr: z.number(),
    seed: z.number(),
    threads: z.number(),
  }),
  metrics: ["macro_accuracy", "accuracy", "likelihood"],
  fits: true,
  resources: { cpus: 1, memory: "1GB", time: "2h" },
  resumable: { checkpoint: "checkpoint" },
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.galaxy.train"],
    ...["--train", inputs.train, "--val", inputs.val],
    ...["--out", outputs.model, "--checkpoint", outputs.checkpoint],
    ...["--epochs", params.epochs, "--horizon", params.horizon],
    ...["--body-lr", params.bodyLr, "--head-lr", params.headLr],
    ...["--seed", params.seed, "--threads", params.threads],
    `--start=${inputs.start}`,
  ],
});

/** Five measured numbers an image and the nearest class: what the network has to beat. */
export const fitBaseline = task({
  name: "baseline",
  inputs: { train: galaxies },
  outputs: { baseline: file("json") },
  fits: true,
  resources: { time: "1h" },
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.galaxy.baseline"],
    ...["--train", inputs.train],
    ...["--out", outputs.baseline],
  ],
});

/** Test images, the confusion matrix, and a page about it. */
export const evaluate = task({
  name: "evaluate",
  inputs: { model: file("safetensors"), test: galaxies, baseline: file("json"), study: optional(json(Study)) },
  outputs: { report: file("html"), predictions: file("csv") },
  metrics: ["macro_accuracy", "accuracy", "macro_f1", "baseline_macro_accuracy"],
  resources: { memory: "1GB" },
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.galaxy.evaluate"],
    ...["--model", inputs.model],
    ...["--test", inputs.test],
    ...["--baseline", inputs.baseline],
    ...["--report", outputs.report],
    ...["--table", outputs.predictions],
    `--study=${inputs.study}`,
  ],
});
