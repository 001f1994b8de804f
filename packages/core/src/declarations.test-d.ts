/** Which declarations and names must not compile, and what an editor completes. */
import { expectTypeOf } from "vitest";
import { z } from "zod";
import {
  atLeast,
  carried,
  dataset,
  datasetOf,
  each,
  file,
  fn,
  json,
  many,
  optional,
  repeat,
  task,
  when,
  workflow,
  zip,
} from "./index.ts";

const scans = dataset({ image: file("png"), patient: json(z.string()) });
const train = task({
  name: "train",
  inputs: { data: scans, start: optional(file("pt")) },
  outputs: { model: file("pt"), best: json(z.object({ lr: z.number(), tags: z.array(z.string()) })) },
  params: z.object({
    epochs: z.number().default(8),
    mode: z.enum(["fast", "slow"]).default("fast"),
    seed: z.number().optional(),
  }),
  metrics: ["dice", "loss"],
  command: ({ inputs, outputs, params }) => {
    expectTypeOf<keyof typeof inputs>().toEqualTypeOf<"data" | "start">();
    expectTypeOf<keyof typeof params>().toEqualTypeOf<"epochs" | "mode" | "seed">();
    return ["train", inputs.data, outputs.model, params.seed];
  },
});

// @ts-expect-error a task has no such property
task({ name: "extra", command: () => ["true"], resource: {} });
task({ name: "ddp", command: () => ["true"], resources: { nodes: 2, processes: 4, gpus: 1 }, launch: "torchrun" });
// @ts-expect-error nodes are a number
task({ name: "nodes", command: () => ["true"], resources: { nodes: "two" } });
// @ts-expect-error the site has srun, no task asks for it
task({ name: "srun", command: () => ["true"], launch: "srun" });
// @ts-expect-error resources have no such property
task({ name: "cores", command: () => ["true"], resources: { cores: 1 } });
// @ts-expect-error an output is one artifact
task({ name: "many", outputs: { all: many(file()) }, command: () => ["true"] });
// @ts-expect-error an output cannot be unread
task({ name: "carried", outputs: { all: carried(file()) }, command: () => ["true"] });
// @ts-expect-error a command is a list
task({ name: "line", command: () => "sort in > out" });
// @ts-expect-error a fn has no command
fn({ name: "both", run: () => ({}), command: () => ["true"] });
// @ts-expect-error a workflow has no such property
workflow({ name: "extra", build: () => ({}), steps: [] });
// @ts-expect-error build() cannot wait
workflow({ name: "waits", build: async () => ({}) });
// @ts-expect-error a plain value is no output
workflow({ name: "number", build: () => ({ n: 4 }) });

workflow({
  name: "names",
  inputs: { scans, words: file("txt") },
  build({ inputs }) {
    const trained = train({ data: inputs.scans });
    expectTypeOf<keyof typeof trained>().toEqualTypeOf<"model" | "best" | "metrics">();
    expectTypeOf<keyof typeof trained.metrics>().toEqualTypeOf<"dice" | "loss">();
    expectTypeOf<keyof typeof trained.best.fields>().toEqualTypeOf<"lr" | "tags">();
    inputs.scans.rows().map((row) => {
      expectTypeOf<keyof typeof row>().toEqualTypeOf<"image" | "patient">();
      return row.image;
    });
    each([{ lr: 1, depth: 2 }]).map((point) => {
      expectTypeOf<keyof typeof point.fields>().toEqualTypeOf<"lr" | "depth">();
      return point;
    });

    // @ts-expect-error a dataset has no such column
    inputs.scans.column("imge");
    // @ts-expect-error nor to pick
    inputs.scans.pick("imge");
    // @ts-expect-error the value has no such field
    trained.best.fields.epochs;
    // @ts-expect-error none of the choices
    train({ data: inputs.scans }, { mode: "medium" });
    // @ts-expect-error a call has no such option
    train({ data: inputs.scans }, {}, { as: "again", resource: {} });
    // @ts-expect-error a number is no condition
    when(trained.metrics.dice, () => trained.model);
    // @ts-expect-error comparing now gives a plain boolean
    when(trained.metrics.dice > 0.9, () => trained.model);
    // @ts-expect-error a file has no order
    atLeast(trained.model, 1);
    // @ts-expect-error a text is no limit for a number
    atLeast(trained.metrics.dice, "1");
    const [model, words] = [() => trained.model, () => inputs.words];
    const isGood = atLeast(trained.metrics.dice, 1);
    // @ts-expect-error the branches give different types
    when(isGood, model, words);
    // @ts-expect-error the other one is of another type
    when(isGood, model).orElse(inputs.words);
    const rounds = repeat({}, () => train({ data: inputs.scans }), { atMost: 2, until: () => isGood });
    expectTypeOf<keyof typeof rounds>().toEqualTypeOf<"model" | "best">();
    // @ts-expect-error a loop gives what its body returns, and a call of a task returns its outputs
    rounds.metrics;
    // @ts-expect-error rows are walked alone
    zip({ rows: inputs.scans.rows() });
    // @ts-expect-error a file is no column
    datasetOf({ model: trained.model });
    return {};
  },
});

// @ts-expect-error a checkpoint is an output, and JSON is none
task({ name: "t", outputs: { n: json(z.number()) }, command: () => ["t"], resumable: { checkpoint: "n" } });
task({
  name: "t",
  outputs: { state: file("pt") },
  command: () => ["t"],
  resumable: { checkpoint: "state", warn: "2m" },
});
