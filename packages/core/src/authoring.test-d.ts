/** What must not compile. `tsc` fails when one of these lines compiles, or when a line without a comment does not. */
import { z } from "zod";
import {
  atLeast,
  carried,
  dataset,
  directory,
  each,
  file,
  fn,
  json,
  many,
  nothing,
  optional,
  repeat,
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
  params: z.object({ seed: z.number().default(4) }),
  command: ({ inputs, outputs, params }) => [
    "split",
    inputs.all,
    outputs.train,
    outputs.val,
    outputs.test,
    params.seed,
  ],
});
const train = task({
  name: "train",
  inputs: { train: scans, val: scans, start: optional(file("pt")), along: optional(file()) },
  outputs: { model: file("pt") },
  params: z.object({ lr: z.number(), epochs: z.number().int().default(8) }),
  metrics: ["loss", "dice"],
  fits: true,
  command: ({ inputs, outputs, params }) => ["train", inputs.train, inputs.val, outputs.model, `--lr=${params.lr}`],
});
const trainCarrying = task({
  name: "train-carrying",
  inputs: { train: scans, test: carried(scans) },
  outputs: { model: file("pt") },
  fits: true,
  command: ({ inputs, outputs }) => ["train", inputs.train, inputs.test, outputs.model],
});
const predict = task({
  name: "predict",
  inputs: { model: file("pt"), images: dataset({ image: file("png") }) },
  outputs: { masks: directory(), score: json(z.number()), notes: optional(file("txt")) },
  command: ({ inputs, outputs }) => ["predict", inputs.model, inputs.images, outputs.masks, outputs.score],
});
const segment = task({
  name: "segment",
  inputs: { image: file("png") },
  outputs: { mask: file("png") },
  command: ({ inputs, outputs }) => ["segment", inputs.image, outputs.mask],
});
const report = task({
  name: "report",
  inputs: { masks: many(file("png")) },
  outputs: { html: file("html") },
  // @ts-expect-error an unknown name in the command
  command: ({ inputs, outputs }) => ["report", inputs.maks, outputs.html],
});
const best = fn({
  name: "best",
  inputs: { scores: many(json(z.number())) },
  outputs: { best: json(z.object({ lr: z.number() })) },
  run: ({ inputs }) => ({ best: { lr: Math.max(...inputs.scores) } }),
});
fn({
  name: "wrong",
  outputs: { best: json(z.object({ lr: z.number() })) },
  // @ts-expect-error an output of another type
  run: () => ({ best: { lr: "much" } }),
});

workflow({
  name: "types",
  params: z.object({ rounds: z.number() }),
  inputs: { xrays: scans, given: scans.as("train"), words: file("txt").as("reference"), more: optional(scans) },
  build({ inputs, params }) {
    const parts = split({ all: inputs.xrays });
    // @ts-expect-error an optional input may be undefined
    split({ all: inputs.more });
    if (inputs.more) split({ all: inputs.more });
    const trained = train({ train: parts.train, val: parts.val }, { lr: 0.1 });
    train({ train: inputs.given, val: parts.val }, { lr: 0.1, epochs: 3 });
    // @ts-expect-error test data to a task that fits
    train({ train: parts.train, val: parts.test }, { lr: 0.1 });
    // @ts-expect-error unsplit data to a task that fits
    train({ train: inputs.xrays, val: parts.val }, { lr: 0.1 });
    // @ts-expect-error a model goes where a dataset is wanted
    train({ train: trained.model, val: parts.val }, { lr: 0.1 });
    // @ts-expect-error a png goes where a model is wanted
    predict({ model: inputs.words, images: parts.test });
    // @ts-expect-error an input is missing
    train({ train: parts.train }, { lr: 0.1 });
    // @ts-expect-error there is no such input
    train({ train: parts.train, val: parts.val, tset: parts.val }, { lr: 0.1 });
    // @ts-expect-error a parameter is missing
    train({ train: parts.train, val: parts.val });
    // @ts-expect-error a parameter is of another type
    train({ train: parts.train, val: parts.val }, { lr: "fast" });
    // @ts-expect-error there is no such parameter
    train({ train: parts.train, val: parts.val }, { lr: 0.1, layers: 3 });
    // @ts-expect-error there is no such output
    trained.modle;
    // @ts-expect-error there is no such metric
    trained.metrics.accuracy;
    // @ts-expect-error split data cannot be split again
    split({ all: parts.train });

    trainCarrying({ train: parts.train, test: parts.test });
    // @ts-expect-error only the carried input may be test data
    trainCarrying({ train: parts.test, test: parts.test });

    const predicted = predict({ model: trained.model, images: parts.test });
    // @ts-expect-error what was made from test data does not go into a fit, not as a parameter either
    train({ train: parts.train, val: parts.val }, { lr: predicted.score });
    train({ train: parts.train, val: parts.val, along: inputs.words }, { lr: trained.metrics.dice });
    // @ts-expect-error an output that may be absent goes only where that is allowed
    report({ masks: [predicted.notes] });

    const masks = parts.test.rows().map(({ image }) => segment({ image }));
    report({ masks: masks.mask });
    // @ts-expect-error one artifact where a collection is wanted
    report({ masks: predicted.masks });
    // @ts-expect-error a row has no such column
    parts.test.rows().map(({ label }) => segment({ image: label }));
    zip({ a: masks.mask, b: parts.test.column("image") }).map(({ a, b }) => {
      segment({ image: a });
      return segment({ image: b });
    });
    const grid = each([{ lr: 0.1 }, { lr: 0.2 }]).map(
      (hp) => train({ train: parts.train, val: parts.val }, { lr: hp.fields.lr }).metrics.dice,
    );
    const chosen = best({ scores: grid });
    train({ train: parts.train, val: parts.val }, { ...chosen.best.fields });

    const final = repeat(
      { model: nothing(file("pt")) },
      ({ model }) => {
        const again = train({ train: parts.train, val: parts.val, start: model }, { lr: 0.1 });
        return { model: again.model, dice: again.metrics.dice };
      },
      { atMost: params.rounds, until: ({ dice }) => atLeast(dice, 0.9) },
    );
    repeat({}, () => ({ dice: trained.metrics.dice }), {
      atMost: 3,
      // @ts-expect-error the round returns no such metric
      until: ({ accuracy }) => atLeast(accuracy, 0.9),
    });
    // @ts-expect-error the round does not return what the next one needs
    repeat({ model: nothing(file("pt")) }, () => ({ dice: trained.metrics.dice }), {
      atMost: 3,
      until: () => atLeast(trained.metrics.dice, 0.9),
    });
    const chosenModel = when(
      atLeast(trained.metrics.dice, 0.5),
      () => trained.model,
      () => train({ train: parts.train, val: parts.val }, { lr: 0.01 }, { as: "train-slow" }).model,
    );
    predict({ model: chosenModel, images: parts.test });
    const perhaps = when(atLeast(trained.metrics.dice, 0.5), () => trained.model);
    // @ts-expect-error it may be absent
    predict({ model: perhaps, images: parts.test });
    predict({ model: perhaps.orElse(trained.model), images: parts.test });
    return { model: final.model, dice: trained.metrics.dice, masks: masks.mask };
  },
});
