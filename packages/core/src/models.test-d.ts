/** What can be a model, and what cannot. */
import { expectTypeOf } from "vitest";
import { z } from "zod";
import { above, asModel, dataset, type FileHandle, file, json, type Maybe, task, when, workflow } from "./index.ts";

const train = task({
  name: "train",
  inputs: { data: file("csv") },
  outputs: { model: file("pt"), note: json(z.string()), rows: dataset({ image: file("png") }) },
  metrics: ["dice"],
  fits: true,
  command: ({ inputs }) => ["train", inputs.data],
});

workflow({
  name: "study",
  inputs: { data: file("csv").as("train"), start: file("pt", { model: "unet", best: "dice" }) },
  build: ({ inputs }) => {
    const { model, note, rows, metrics } = train({ data: inputs.data });
    const named = asModel("unet", model, { dice: metrics.dice });
    expectTypeOf(named).toEqualTypeOf<FileHandle<"pt", "train">>();
    const good = asModel(
      "good",
      when(above(metrics.dice, 0.9), () => model),
    );
    expectTypeOf(good).toEqualTypeOf<Maybe<FileHandle<"pt", "train">>>();
    // @ts-expect-error a value is no model
    asModel("note", note);
    // @ts-expect-error a dataset is no model
    asModel("rows", rows);
    // @ts-expect-error a metric is a number that a task has measured
    asModel("unet", model, { dice: 0.9 });
    // @ts-expect-error a text is no metric
    asModel("unet", model, { note });
    return { named, good };
  },
});

// @ts-expect-error a dataset is no model
dataset({ image: file("png") }, { model: "unet" });
// @ts-expect-error metrics are chosen by name
file("pt", { model: "unet", best: true });
