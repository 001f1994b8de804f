import { dataset, directory, file, json, optional, python, Study, task, z } from "wf";

/** Chest X-rays with the lungs drawn in, and whose they are. */
export const xrays = dataset({ image: file("png"), mask: file("png"), patient: json(z.string()) });

/** The same in one size and brightness, with the height and width that they had. */
const prepared = dataset({
  image: file("png"),
  mask: file("png"),
  patient: json(z.string()),
  height: json(z.number()),
  width: json(z.number()),
});

const masks = dataset({ mask: file("png"), name: json(z.string()) });
const part = z.object({ images: z.number(), patients: z.number() });
const Division = z.object({ train: part, val: part, test: part, rejected: z.record(z.string(), z.string()) });
const Trained = z.looseObject({ images: z.number(), best_epoch: z.number() });

const ml = python("../../runtimes/python");

/** X-rays that nobody took: several a patient, with disease, devices and bad exposures among them. */
export const generate = task({
  name: "generate",
  outputs: { xrays: xrays.as("unsplit") },
  params: z.object({ patients: z.number(), seed: z.number() }),
  metrics: ["images", "patients"],
  resources: { cpus: 2 },
  runtime: ml,
  command: ({ outputs, params }) => [
    ...["python", "-m", "wf_ml.lung.generate"],
    ...["--out", outputs.xrays],
    ...["--patients", params.patients],
    ...["--seed", params.seed],
    ...["--workers", "2"],
  ],
});

/** A folder becomes a dataset. Every file is opened, so that a broken one is found before anything is trained. */
export const ingest = task({
  name: "ingest",
  inputs: { folder: directory() },
  outputs: { xrays },
  metrics: ["images", "patients"],
  resources: { cpus: 2 },
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.lung.ingest"],
    ...["--folder", inputs.folder],
    ...["--out", outputs.xrays],
    ...["--workers", "2"],
  ],
});

/** By patient. Flat images and empty masks are left out before. */
export const split = task({
  name: "split",
  inputs: { xrays },
  outputs: {
    train: xrays.as("train"),
    val: xrays.as("val"),
    test: xrays.as("test"),
    summary: json(Division).as("reference"),
  },
  params: z.object({ ratios: z.tuple([z.number(), z.number(), z.number()]), seed: z.number() }),
  metrics: ["train", "val", "test", "rejected"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.lung.split"],
    ...["--xrays", inputs.xrays],
    ...["--train", outputs.train, "--val", outputs.val, "--test", outputs.test],
    ...["--summary", outputs.summary],
    "--ratios",
    params.ratios,
    ...["--seed", params.seed],
  ],
});

/** One size, and the same brightness however an image was exposed. */
export const preprocess = task({
  name: "preprocess",
  inputs: { xrays },
  outputs: { xrays: prepared },
  params: z.object({ size: z.number() }),
  metrics: ["images"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.lung.preprocess"],
    ...["--xrays", inputs.xrays],
    ...["--out", outputs.xrays],
    ...["--size", params.size],
  ],
});

/** Of every image three: as it is, flipped, and turned by 8 degrees. */
export const augment = task({
  name: "augment",
  inputs: { xrays: prepared },
  outputs: { xrays: prepared },
  params: z.object({ seed: z.number() }),
  metrics: ["images"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.lung.augment"],
    ...["--xrays", inputs.xrays],
    ...["--out", outputs.xrays],
    ...["--seed", params.seed],
  ],
});

/** A U-Net, from the start or from a checkpoint of the same training. Threads change numbers: they are a parameter. */
export const train = task({
  name: "train",
  inputs: { train: prepared, val: prepared, start: optional(file("safetensors")) },
  outputs: { model: file("safetensors"), checkpoint: file("safetensors"), summary: json(Trained) },
  params: z.object({
    /** In all, with those of the checkpoint. */
    epochs: z.number(),
    /** Over so many epochs the learning rate falls; it is the same for a short and a long training. */
    horizon: z.number(),
    /** Ends it after so many epochs without a better score. */
    patience: z.number().default(6),
    lr: z.number(),
    batch: z.number(),
    seed: z.number(),
    threads: z.number(),
  }),
  metrics: ["dice", "loss", "val_loss", "best_epoch"],
  fits: true,
  resources: { cpus: 1, memory: "1GB", time: "6h" },
  resumable: { checkpoint: "checkpoint" },
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.lung.train"],
    ...["--train", inputs.train, "--val", inputs.val],
    ...["--out", outputs.model, "--checkpoint", outputs.checkpoint, "--summary", outputs.summary],
    ...["--epochs", params.epochs, "--horizon", params.horizon, "--patience", params.patience],
    ...["--lr", params.lr, "--batch", params.batch],
    ...["--seed", params.seed, "--threads", params.threads],
    `--start=${inputs.start}`,
  ],
});

/** Masks of prepared images, in the size of the originals. */
export const infer = task({
  name: "infer",
  inputs: { model: file("safetensors"), xrays: prepared },
  outputs: { masks },
  metrics: ["images"],
  resources: { memory: "1GB" },
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.lung.infer"],
    ...["--model", inputs.model],
    ...["--xrays", inputs.xrays],
    ...["--out", outputs.masks],
  ],
});

/** Predicted masks beside the truth and beside a threshold that learns nothing, with a page about it. */
export const evaluate = task({
  name: "evaluate",
  inputs: { masks, truth: xrays, trained: json(Trained), split: json(Division), study: optional(json(Study)) },
  outputs: { report: file("html"), scores: file("csv") },
  metrics: ["test_dice", "test_iou", "baseline_dice"],
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.lung.evaluate"],
    ...["--predicted", inputs.masks, "--truth", inputs.truth],
    ...["--trained", inputs.trained, "--split", inputs.split],
    ...["--page", outputs.report, "--scores", outputs.scores],
    `--study=${inputs.study}`,
  ],
});

/** Any folder of X-rays through a trained model: masks, pictures with outlines, and figures. */
export const apply = task({
  name: "apply",
  inputs: { model: file("safetensors"), folder: directory() },
  outputs: { found: directory() },
  metrics: ["images"],
  resources: { memory: "1GB" },
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.lung.apply"],
    ...["--model", inputs.model],
    ...["--folder", inputs.folder],
    ...["--out", outputs.found],
  ],
});
