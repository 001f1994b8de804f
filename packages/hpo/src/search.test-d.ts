/** What a search must not compile with, and what it gives. */
import { type FitSplit, file, type JsonHandle, optional, task, workflow } from "@wf/core";
import { z } from "zod";
import { choice, integer, logUniform, oneOf, uniform } from "./parameters.ts";
import { asha } from "./pruner.ts";
import { search } from "./search.ts";

const split = task({
  name: "split",
  inputs: { all: file("zip") },
  outputs: { train: file("zip").as("train"), val: file("zip").as("val"), test: file("zip").as("test") },
  command: ({ inputs }) => ["split", inputs.all],
});
const train = task({
  name: "train",
  inputs: { train: file("zip"), val: file("zip"), start: optional(file("pt")) },
  params: z.object({ lr: z.number(), width: z.number().int(), epochs: z.number().default(1) }),
  outputs: { model: file("pt"), checkpoint: file("pt") },
  metrics: ["dice", "loss"],
  fits: true,
  command: ({ inputs, outputs }) => ["train", inputs.train, inputs.val, outputs.model],
});
const score = task({
  name: "score",
  inputs: { model: file("pt"), data: file("zip") },
  metrics: ["dice"],
  command: ({ inputs }) => ["score", inputs.model, inputs.data],
});
const space = { lr: logUniform(1e-4, 1e-1), width: integer(4, 16) };

workflow({
  name: "study",
  inputs: { all: file("zip") },
  build({ inputs }) {
    const { train: fit, val, test } = split({ all: inputs.all });

    const found = search(space, ({ params }) => train({ train: fit, val }, params), { trials: 4, maximise: "dice" });
    found.best.lr satisfies JsonHandle<number, FitSplit>;
    found.score satisfies JsonHandle<number, FitSplit>;
    train({ train: fit, val }, { ...found.best, epochs: 9 });
    // @ts-expect-error the space has no such parameter
    found.best.momentum;

    // @ts-expect-error the task has no such metric
    search(space, ({ params }) => train({ train: fit, val }, params), { trials: 4, maximise: "iou" });

    search(
      space,
      ({ params }) => {
        const { model } = train({ train: fit, val }, params);
        return { dice: score({ model, data: val }).metrics.dice };
      },
      { trials: 4, maximise: "dice" },
    );
    search(
      space,
      // @ts-expect-error settings are not chosen by test scores
      ({ params }) => ({ dice: score({ model: train({ train: fit, val }, params).model, data: test }).metrics.dice }),
      { trials: 4, maximise: "dice" },
    );

    search(
      space,
      ({ params, budget, checkpoint }) =>
        train({ train: fit, val, start: checkpoint }, { ...params, epochs: budget satisfies number }),
      { trials: 9, minimise: "loss", pruner: asha({ rungs: [1, 3] }), checkpoint: file("pt") },
    );
    search(
      space,
      // @ts-expect-error without a pruner there is no budget
      ({ params, budget }) => train({ train: fit, val }, { ...params, epochs: budget }),
      { trials: 9, minimise: "loss" },
    );
    search(
      space,
      // @ts-expect-error a rung must leave a checkpoint
      ({ params }) => ({ loss: train({ train: fit, val }, params).metrics.loss }),
      { trials: 9, minimise: "loss", pruner: asha({ rungs: [1, 3] }), checkpoint: file("pt") },
    );

    // @ts-expect-error one way to say what is looked for
    search(space, ({ params }) => train({ train: fit, val }, params), {
      trials: 4,
      maximise: "dice",
      minimise: "loss",
    });
    search(space, ({ params }) => train({ train: fit, val }, params), {
      trials: 4,
      objectives: { dice: "maximise", loss: "minimise" },
    });

    const mixed = search(
      {
        rate: uniform(0, 1),
        kind: choice(["a", "b"]),
        optimiser: oneOf("name", { sgd: { momentum: uniform(0, 1) }, adam: {} }),
      },
      ({ params }) => {
        params.kind satisfies JsonHandle<"a" | "b", never>;
        return train({ train: fit, val }, { lr: params.rate, width: 3 });
      },
      { trials: 4, maximise: "dice" },
    );
    mixed.best.optimiser satisfies JsonHandle<{ name: "sgd"; momentum: number } | { name: "adam" }>;
    return { study: found.study };
  },
});
