import { file, type Graph, json, optional, type SeriesNode, type TaskNode, task, workflow } from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { grid } from "./grid.ts";
import { choice, logUniform } from "./parameters.ts";
import { asha } from "./pruner.ts";
import { search } from "./search.ts";

const space = { lr: logUniform(1e-4, 1e-1), width: choice([8, 16]) };
const train = task({
  name: "train",
  inputs: { start: optional(file("pt")), data: optional(file("zip")) },
  params: z.object({ lr: z.number(), width: z.number(), epochs: z.number().default(1) }),
  outputs: { checkpoint: file("pt"), size: json(z.number()) },
  metrics: ["dice"],
  command: ({ params, outputs }) => ["train", params.lr, outputs.checkpoint],
});
const split = task({
  name: "split",
  inputs: { all: file("zip") },
  outputs: { val: file("zip").as("val"), test: file("zip").as("test") },
  command: ({ inputs }) => ["split", inputs.all],
});

// biome-ignore lint/suspicious/noExplicitAny: refusals are for what the compiler has not seen
type Untyped = any;
const untyped: Untyped = search;

function study(build: (given: Untyped) => object): Graph {
  return workflow({
    name: "study",
    inputs: { all: file("zip") },
    build: ({ inputs }) => build(inputs) as never,
  }).toGraph();
}

function refusal(build: (given: Untyped) => object): { code: string; message: string } {
  try {
    study(build);
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error("it was not refused");
}

test("a trial is written once, whatever their number", () => {
  const graph = study(() => ({
    study: search(space, ({ params }) => train({}, params), { trials: 50, window: 3, maximise: "dice" }).study,
  }));
  expect([...graph.nodes.keys()].filter((id) => graph.nodes.get(id)?.kind === "task")).toEqual([
    "search/ask",
    "search/train",
    "search/tell",
    "search/choose",
  ]);
  const rounds = [...graph.nodes.values()].find(({ kind }) => kind === "series") as SeriesNode;
  expect(rounds).toMatchObject({ count: 50, window: 3 });
});

test("a rung goes on from the checkpoint of the one before, if it is let", () => {
  const graph = study(() => ({
    study: search(
      space,
      ({ params, budget, checkpoint }) => train({ start: checkpoint }, { ...params, epochs: budget }),
      { trials: 9, maximise: "dice", pruner: asha({ rungs: [1, 3, 9] }), checkpoint: file("pt"), as: "hpo" },
    ).study,
  }));
  const stages = [...graph.nodes.keys()].filter((id) => /^hpo.*train$/.test(id));
  expect(stages).toEqual(["hpo/rung-1/train", "hpo/rung-3/train", "hpo/rung-9/train"]);
  const [first, second] = stages.map((id) => graph.nodes.get(id) as TaskNode) as [TaskNode, TaskNode];
  expect(first.inputs.start?.ref).toEqual({ ref: "absent" });
  expect(second.inputs.start?.ref).toMatchObject({ ref: "result", name: "checkpoint" });
  expect([first, second].map(({ params }) => params.epochs)).toEqual([
    { ref: "const", value: 1 },
    { ref: "const", value: 3 },
  ]);
  expect([...graph.nodes.values()].filter(({ kind }) => kind === "when")).toHaveLength(2);
});

test("a grid needs no number of trials", () => {
  const graph = study(() => ({
    study: search(space, ({ params }) => train({}, params), { maximise: "dice", sampler: grid({ points: 3 }) }).study,
  }));
  expect([...graph.nodes.values()].find(({ kind }) => kind === "series")).toMatchObject({ count: 6 });
});

test("settings are not chosen by test data", () => {
  const scored = (name: "val" | "test") => (inputs: Untyped) => {
    const data = split({ all: inputs.all })[name];
    return {
      s: untyped(space, ({ params }: Untyped) => train({ data }, params), { trials: 2, maximise: "dice" }).study,
    };
  };
  expect(refusal(scored("test"))).toMatchObject({ code: "WF_SPLIT_FIT" });
  const graph = study(scored("val"));
  expect((graph.nodes.get("search/ask") as TaskNode).outputSplits.setting).toEqual(["val"]);
  expect(graph.outputs.s?.splits).toEqual(["val"]);
});

test("what makes no sense is refused with what to write", () => {
  const options = (given: object) => () => ({
    s: untyped(space, ({ params }: Untyped) => train({}, params), given).study,
  });
  expect(refusal(options({ maximise: "dice" }))).toMatchObject({ code: "WF_SEARCH_OPTION" });
  expect(refusal(options({ trials: 3 }))).toMatchObject({ code: "WF_SEARCH_OPTION" });
  expect(refusal(options({ trials: 3, maximise: "dice", minimise: "loss" }))).toMatchObject({
    code: "WF_SEARCH_OPTION",
  });
  expect(refusal(options({ trials: 3, maximise: "iou" }))).toMatchObject({ code: "WF_METRIC_UNKNOWN" });
  expect(refusal(options({ trials: 0, maximise: "dice" }))).toMatchObject({ code: "WF_DECLARATION" });
  expect(
    refusal(() => ({
      s: untyped({}, ({ params }: Untyped) => train({}, params), { trials: 2, maximise: "dice" }).study,
    })),
  ).toMatchObject({ code: "WF_SEARCH_SPACE" });
});
