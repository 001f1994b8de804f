import { dataset, directory, file, json, optional, python, Study, task, z } from "wf";

/** Tweets with their pictures and classes, as they come. */
export const posts = dataset({ image: file(), id: json(z.string()), text: json(z.string()), label: json(z.string()) });

/** Texts in pieces. */
export const tokens = dataset({ id: json(z.string()), tokens: json(z.array(z.string())), label: json(z.string()) });

/** Pictures of one size. */
export const pictures = dataset({ image: file("png"), id: json(z.string()), label: json(z.string()) });

const texts = dataset({ id: json(z.string()), text: json(z.string()), label: json(z.string()) });
const photos = dataset({ image: file(), id: json(z.string()), label: json(z.string()) });
const ml = python("../../runtimes/python");

/** Tweets with pictures about crises that never happened. */
export const generate = task({
  name: "generate",
  outputs: { tweets: directory().as("unsplit") },
  params: z.object({ tweets: z.number(), seed: z.number() }),
  metrics: ["tweets", "pictures"],
  resources: { cpus: 2 },
  runtime: ml,
  command: ({ outputs, params }) => [
    ...["python", "-m", "wf_ml.crisis.generate"],
    ...["--out", outputs.tweets],
    ...["--tweets", params.tweets],
    ...["--seed", params.seed],
    ...["--workers", "2"],
  ],
});

/** Word vectors in GloVe's format, from other tweets without classes: no data to split, but reference material. */
export const generateGlove = task({
  name: "glove",
  outputs: { glove: file("txt").as("reference") },
  params: z.object({ seed: z.number() }),
  metrics: ["words"],
  runtime: ml,
  command: ({ outputs, params }) => [
    ...["python", "-m", "wf_ml.crisis.generate_glove"],
    ...["--out", outputs.glove],
    ...["--seed", params.seed],
  ],
});

/** Leaves out what says the same again; a picture with all that was tweeted with it is in one part only. */
export const split = task({
  name: "split",
  inputs: { tweets: directory() },
  outputs: { train: posts.as("train"), val: posts.as("val"), test: posts.as("test") },
  params: z.object({ ratios: z.tuple([z.number(), z.number(), z.number()]), seed: z.number() }),
  metrics: ["train", "val", "test", "left_out"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.crisis.split"],
    ...["--tweets", inputs.tweets],
    ...["--train", outputs.train, "--val", outputs.val, "--test", outputs.test],
    "--ratios",
    params.ratios,
    ...["--seed", params.seed],
  ],
});

export const preprocessTweets = task({
  name: "preprocess-tweets",
  inputs: { tweets: texts },
  outputs: { tokens },
  metrics: ["tweets"],
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.crisis.preprocess_tweets"],
    ...["--tweets", inputs.tweets],
    ...["--out", outputs.tokens],
  ],
});

export const preprocessImages = task({
  name: "preprocess-images",
  inputs: { images: photos },
  outputs: { images: pictures },
  params: z.object({ size: z.number() }),
  metrics: ["images"],
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.crisis.preprocess_images"],
    ...["--images", inputs.images],
    ...["--out", outputs.images],
    ...["--size", params.size],
  ],
});

const training = z.object({
  /** In all, with those of the checkpoint. */
  epochs: z.number(),
  /** Over how many epochs the learning rate falls. */
  horizon: z.number(),
  lr: z.number(),
  seed: z.number(),
  threads: z.number(),
});

/** A bidirectional LSTM that begins with known word vectors. */
export const trainText = task({
  name: "train-text",
  inputs: { train: tokens, val: tokens, glove: file("txt"), start: optional(file("safetensors")) },
  outputs: { model: file("safetensors"), checkpoint: file("safetensors") },
  params: training.extend({ hidden: z.number() }),
  metrics: ["accuracy", "macro_accuracy", "likelihood"],
  fits: true,
  resources: { memory: "1GB", time: "1h" },
  resumable: { checkpoint: "checkpoint" },
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.crisis.train_text"],
    ...["--train", inputs.train, "--val", inputs.val],
    ...["--glove", inputs.glove, "--hidden", params.hidden],
    ...["--out", outputs.model, "--checkpoint", outputs.checkpoint],
    ...["--epochs", params.epochs, "--horizon", params.horizon],
    ...["--lr", params.lr],
    ...["--seed", params.seed, "--threads", params.threads],
    `--start=${inputs.start}`,
  ],
});

/** A small residual network. */
export const trainImages = task({
  name: "train-images",
  inputs: { train: pictures, val: pictures, start: optional(file("safetensors")) },
  outputs: { model: file("safetensors"), checkpoint: file("safetensors") },
  params: training,
  metrics: ["accuracy", "macro_accuracy", "likelihood"],
  fits: true,
  resources: { memory: "1GB", time: "1h" },
  resumable: { checkpoint: "checkpoint" },
  runtime: ml,
  command: ({ inputs, outputs, params }) => [
    ...["python", "-m", "wf_ml.crisis.train_images"],
    ...["--train", inputs.train, "--val", inputs.val],
    ...["--out", outputs.model, "--checkpoint", outputs.checkpoint],
    ...["--epochs", params.epochs, "--horizon", params.horizon],
    ...["--lr", params.lr],
    ...["--seed", params.seed, "--threads", params.threads],
    `--start=${inputs.start}`,
  ],
});

export const inferText = task({
  name: "infer-text",
  inputs: { model: file("safetensors"), tweets: tokens },
  outputs: { predictions: file("csv") },
  metrics: ["accuracy"],
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.crisis.infer_text"],
    ...["--model", inputs.model],
    ...["--tweets", inputs.tweets],
    ...["--out", outputs.predictions],
  ],
});

export const inferImages = task({
  name: "infer-images",
  inputs: { model: file("safetensors"), images: pictures },
  outputs: { predictions: file("csv") },
  metrics: ["accuracy"],
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.crisis.infer_images"],
    ...["--model", inputs.model],
    ...["--images", inputs.images],
    ...["--out", outputs.predictions],
  ],
});

/** How much to believe each of the two models: learned on validation tweets, never on test ones. */
export const fuse = task({
  name: "fuse",
  inputs: { text: file("csv"), image: file("csv") },
  outputs: { fusion: file("json") },
  metrics: ["accuracy", "text_weight", "image_weight"],
  fits: true,
  resources: { time: "10m" },
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.crisis.fuse"],
    ...["--text", inputs.text, "--image", inputs.image],
    ...["--out", outputs.fusion],
  ],
});

/** The two models and their late fusion on test tweets, and a page about them. */
export const evaluate = task({
  name: "evaluate",
  inputs: {
    text: file("csv"),
    image: file("csv"),
    fusion: file("json"),
    tweets: posts,
    textModel: file("safetensors"),
    imageModel: file("safetensors"),
    textStudy: optional(json(Study)),
    imageStudy: optional(json(Study)),
  },
  outputs: { report: file("html"), predictions: file("csv") },
  metrics: [
    ...(["text_accuracy", "image_accuracy", "fusion_accuracy"] as const),
    ...(["text_macro_f1", "image_macro_f1", "fusion_macro_f1", "fusion_gain"] as const),
  ],
  runtime: ml,
  command: ({ inputs, outputs }) => [
    ...["python", "-m", "wf_ml.crisis.evaluate"],
    ...["--text", inputs.text, "--image", inputs.image],
    ...["--fusion", inputs.fusion],
    ...["--tweets", inputs.tweets],
    ...["--text-model", inputs.textModel, "--image-model", inputs.imageModel],
    ...["--report", outputs.report],
    ...["--table", outputs.predictions],
    `--text-study=${inputs.textStudy}`,
    `--image-study=${inputs.imageStudy}`,
  ],
});
