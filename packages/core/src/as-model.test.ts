import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  above,
  asModel,
  dataset,
  directory,
  each,
  type FileHandle,
  file,
  json,
  optional,
  task,
  when,
  workflow,
} from "./index.ts";
import { refusalsIn } from "./test-refusal.ts";

const path = fileURLToPath(import.meta.url);
const refusal = refusalsIn(path, readFileSync(path, "utf8"));
const expectRefusal = (work: () => unknown, code: string, message: string) =>
  expect(refusal(work)).toMatchObject({ code, message: expect.stringContaining(message) });

const train = task({
  name: "train",
  outputs: { model: file("pt"), folder: directory(), note: json(z.string()), maybe: optional(file("pt")) },
  params: z.object({ seed: z.number().default(1) }),
  metrics: ["dice"],
  command: () => ["train"],
});
const score = task({
  name: "score",
  inputs: { model: file("pt"), data: file("csv") },
  metrics: ["dice"],
  command: ({ inputs }) => ["score", inputs.model, inputs.data],
});

const graphOf = (build: () => Record<string, FileHandle>) =>
  workflow({ name: "study", build: build as never }).toGraph();

test("an output is a model, with the metrics that it is registered with and what those were measured on", () => {
  const graph = workflow({
    name: "study",
    inputs: { data: file("csv", { path: "x.csv" }).as("test") },
    build: ({ inputs }) => {
      const { model, metrics } = train({});
      const named = asModel("lung-unet", model, {
        dice: score({ model, data: inputs.data }).metrics.dice,
        own: metrics.dice,
      });
      return { model: named, again: model };
    },
  }).toGraph();
  expect(graph.outputs.model).toMatchObject({
    ref: { ref: "output", node: "train", name: "model" },
    kind: "artifact",
    model: {
      name: "lung-unet",
      metrics: {
        dice: { ref: { ref: "metric", node: "score", name: "dice" }, splits: ["test"] },
        own: { ref: { ref: "metric", node: "train" }, splits: [] },
      },
    },
  });
  expect(graph.outputs.again).not.toHaveProperty("model");
});

test("it stays the artifact that it is: a part of a larger workflow hands it on", () => {
  const part = workflow({ name: "part", build: () => ({ model: asModel("unet", train({}).model) }) });
  const graph = workflow({
    name: "study",
    inputs: { data: file("csv", { path: "x.csv" }) },
    build: ({ inputs }) => {
      const { model } = part({});
      return { model, dice: score({ model, data: inputs.data }).metrics.dice };
    },
  }).toGraph();
  expect(graph.outputs.model?.model?.name).toBe("unet");
  expect(graph.nodes.get("score")).toMatchObject({ inputs: { model: { ref: { node: "part/train" } } } });
});

test("a folder, and what may be absent, can be models", () => {
  const graph = graphOf(() => {
    const made = train({});
    const good = when(above(made.metrics.dice, 0.9), () => made.model);
    return { a: asModel("a", made.folder), b: asModel("b", made.maybe), c: asModel("c", good) } as never;
  });
  expect(Object.values(graph.outputs).map(({ model }) => model?.name)).toEqual(["a", "b", "c"]);
});

test.each(["", "3d", "a b", "a@3", "a/b"])("%j names no model", (name) => {
  expectRefusal(() => graphOf(() => ({ m: asModel(name, train({}).model) })), "WF_DECLARATION", "no name of a model");
});

test("what is no file or folder is no model, and what is no number no metric of it", () => {
  expectRefusal(
    () => graphOf(() => ({ m: asModel("m", train({}).note as never) })),
    "WF_INPUT_TYPE",
    "neither a file nor",
  );
  expectRefusal(() => graphOf(() => ({ m: asModel("m", "m.pt" as never) })), "WF_INPUT_TYPE", "neither a file nor");
  for (const dice of [() => train({}).note, () => 0.9, () => undefined]) {
    const build = () => ({ m: asModel("m", train({}).model, { dice: dice() } as never) });
    expectRefusal(() => graphOf(build), "WF_INPUT_TYPE", '"dice"');
  }
});

test("a run makes one version of a model", () => {
  const twice = () => {
    const { model } = train({});
    return { a: asModel("m", model), b: asModel("m", model) };
  };
  expectRefusal(() => graphOf(twice), "WF_DECLARATION", '"a" and "b" are both model "m"');
  const inBody = () => ({ all: each([1, 2]).map((seed) => asModel("m", train({}, { seed }).model)) });
  expectRefusal(() => graphOf(inBody as never), "WF_DECLARATION", "returned from a body");
});

test("an input of a workflow names a model as its default", () => {
  const graph = workflow({
    name: "apply",
    inputs: {
      newest: file("pt", { model: "unet" }),
      second: optional(file("pt", { model: "unet@2" })),
      best: directory({ model: "unet", best: "dice" }),
      least: file({ model: "unet", lowest: "loss" }).as("reference"),
    },
    build: ({ inputs }) => ({ ...inputs }) as never,
  }).toGraph();
  expect(Object.values(graph.inputs).map(({ model }) => model)).toEqual([
    { name: "unet", pick: "newest" },
    { name: "unet", pick: "version", version: 2 },
    { name: "unet", pick: "highest", metric: "dice" },
    { name: "unet", pick: "lowest", metric: "loss" },
  ]);
});

test("a model is named in one way, and only by an input of a workflow", () => {
  for (const place of [
    { model: "no name" },
    { model: "a@2", best: "dice" },
    { model: "a", best: "dice", lowest: "loss" },
    { model: "a", path: "a.pt" },
    { best: "dice" },
  ])
    expectRefusal(() => file("pt", place as never), "WF_DECLARATION", "the model of an input");
  const inputs = { model: file("pt", { model: "unet" }) };
  expectRefusal(() => task({ name: "use", inputs, command: () => ["use"] }), "WF_DECLARATION", "names a model");
  expect(dataset({ image: file("png") }).model).toBeUndefined();
});
