/** Where test data must not compile, and where train data must, however far it has come. */
import { z } from "zod";
import {
  atLeast,
  dataset,
  datasetOf,
  directory,
  each,
  file,
  json,
  many,
  optional,
  task,
  when,
  workflow,
  zip,
} from "./index.ts";

const scans = dataset({ image: file("png"), mask: file("png") });
const split = task({
  name: "split",
  inputs: { all: scans },
  outputs: { train: scans.as("train"), val: scans.as("val"), test: scans.as("test") },
  command: ({ inputs }) => ["split", inputs.all],
});
const fit = task({
  name: "fit",
  inputs: { images: many(file("png")), tags: optional(json(z.array(z.string()))) },
  outputs: { model: file("pt") },
  params: z.object({ lr: z.number().default(1) }),
  metrics: ["dice"],
  fits: true,
  command: ({ inputs, outputs }) => ["fit", inputs.images, outputs.model],
});
const apply = task({
  name: "apply",
  inputs: { image: file("png"), model: file("pt") },
  outputs: { mask: file("png"), info: json(z.object({ lr: z.number() })), folder: directory() },
  command: ({ inputs, outputs }) => ["apply", inputs.image, inputs.model, outputs.mask],
});
const part = workflow({
  name: "part",
  inputs: { data: scans.as("train"), words: file("txt").as("reference") },
  build: ({ inputs }) => ({ model: fit({ images: inputs.data.column("image") }).model }),
});

workflow({
  name: "flows",
  inputs: { xrays: scans, words: file("txt").as("reference") },
  build({ inputs }) {
    const { train, val, test } = split({ all: inputs.xrays });
    // Optional inputs and defaulted parameters that are left out add no split.
    const { model } = fit({ images: train.column("image") });
    const tested = test.rows().map(({ image }) => apply({ image, model }));

    fit({ images: train.rows().map(({ image }) => apply({ image, model })).mask });
    fit({ images: train.column("image").map((image) => apply({ image, model }).mask) });
    const either = each([train, val]).map((data) => data.column("image"));
    fit({ images: either.flat() });
    const pieces = train
      .chunks({ size: 8 })
      .map((data) => data.rows().map(({ image }) => apply({ image, model }).mask));
    fit({ images: pieces.flat() });
    fit({ images: train.column("image") }, { lr: fit({ images: val.column("image") }).metrics.dice });
    part({ data: train, words: inputs.words });

    // @ts-expect-error a column of test data
    fit({ images: test.column("image") });
    // @ts-expect-error what a map made of test data
    fit({ images: tested.mask });
    // @ts-expect-error what a map makes of test data on the spot
    fit({ images: test.rows().map(({ image }) => apply({ image, model })).mask });
    // @ts-expect-error a row of test data
    test.rows().map(({ image }) => fit({ images: [image] }));
    // @ts-expect-error one of two that are walked side by side
    zip({ a: train.column("image"), b: test.column("image") }).map(({ a, b }) => fit({ images: [a, b] }));
    // @ts-expect-error a dataset of collections
    fit({ images: datasetOf({ image: tested.mask }).column("image") });
    // @ts-expect-error pieces put together again
    fit({ images: test.pick("image").chunks({ size: 3 }).merge().column("image") });
    // @ts-expect-error files of a folder
    tested.folder.map((folder) => fit({ images: folder.files("*.png") }));
    // @ts-expect-error a field as a parameter
    tested.info.map((info) => fit({ images: train.column("image") }, { lr: info.fields.lr }));
    const mixed = each([train, test]).map((data) => data.column("image"));
    // @ts-expect-error one of several datasets
    fit({ images: mixed.flat() });
    const [one, other] = [() => train.column("image"), () => test.column("image")];
    // @ts-expect-error one of two branches
    when(atLeast(fit({ images: val.column("image") }).metrics.dice, 1), one, other);
    // @ts-expect-error a part that takes train data
    part({ data: test, words: inputs.words });
    // @ts-expect-error a part that takes reference material
    part({ data: train, words: fit({ images: train.column("image") }).model });
    return {};
  },
});
