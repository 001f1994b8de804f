import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  atLeast,
  carried,
  dataset,
  file,
  type Graph,
  json,
  many,
  nothing,
  optional,
  repeat,
  type TaskNode,
  task,
  when,
  workflow,
  zip,
} from "./index.ts";
import { refusalsIn, type Untyped } from "./test-refusal.ts";

const path = fileURLToPath(import.meta.url);
const refusal = refusalsIn(path, readFileSync(path, "utf8"));

const scans = dataset({ image: file("png"), mask: file("png") });
const split: Untyped = task({
  name: "split",
  inputs: { all: scans },
  outputs: { train: scans.as("train"), val: scans.as("val"), test: scans.as("test") },
  params: z.object({ seed: z.number().optional() }),
  command: ({ inputs }) => ["split", inputs.all],
});
const train: Untyped = task({
  name: "train",
  inputs: { data: scans, start: optional(file("pt")), extra: optional(file()) },
  outputs: { model: file("pt"), log: optional(file("txt")) },
  params: z.object({ lr: z.number(), epochs: z.number().int().default(8), mode: z.enum(["fast", "slow"]).optional() }),
  metrics: ["loss", "dice"],
  fits: true,
  command: ({ inputs, outputs }) => ["train", inputs.data, outputs.model],
});
const fitAll: Untyped = task({
  name: "fit-all",
  inputs: { images: many(file("png")) },
  outputs: { model: file("pt") },
  fits: true,
  command: ({ inputs, outputs }) => ["fit", inputs.images, outputs.model],
});
const trainCarrying: Untyped = task({
  name: "train-carrying",
  inputs: { data: scans, along: carried(scans) },
  outputs: { model: file("pt") },
  fits: true,
  command: ({ inputs, outputs }) => ["train", inputs.data, inputs.along, outputs.model],
});
const predict: Untyped = task({
  name: "predict",
  inputs: { model: file("pt"), images: dataset({ image: file("png") }) },
  outputs: { masks: file("zip"), score: json(z.number()), better: file("pt") },
  command: ({ inputs, outputs }) => ["predict", inputs.model, inputs.images, outputs.masks, outputs.score],
});
const segment: Untyped = task({
  name: "segment",
  inputs: { image: file("png") },
  outputs: { mask: file("png"), size: json(z.object({ width: z.number() })) },
  command: ({ inputs, outputs }) => ["segment", inputs.image, outputs.mask],
});

/** A graph with a split data set, which `body` goes on with. */
function study(body: (given: Untyped) => unknown): Graph {
  return workflow({
    name: "study",
    inputs: { xrays: scans, words: file("txt").as("reference") },
    build: ({ inputs }: Untyped) => body({ ...inputs, ...split({ all: inputs.xrays }) }) as never,
  }).toGraph();
}

const refused = (body: (given: Untyped) => unknown) => refusal(() => study(body));

test("an artifact of another type names the input, the task and the line", () => {
  expect(refused(({ train: data, words }) => train({ data, start: words }, { lr: 1 }))).toMatchObject({
    code: "WF_INPUT_TYPE",
    message: 'input "start": it is a txt file, and a pt file is wanted',
    where: expect.stringContaining('task "train"'),
    line: expect.stringContaining("start: words"),
  });
  expect(refused(({ train: data }) => predict({ model: data, images: data })).message).toContain(
    'input "model": it is a dataset of image, mask, and a pt file is wanted',
  );
});

test("what is no artifact, may be absent, or is a collection does not go where one artifact is wanted", () => {
  expect(refused(() => segment({ image: "scan.png" }))).toMatchObject({ code: "WF_INPUT_TYPE" });
  expect(refused(({ train: data }) => segment({ image: data.column("image") })).message).toContain("map over it");
  const perhaps = ({ train: data }: Untyped) => predict({ model: train({ data }, { lr: 1 }).log, images: data });
  expect(refused(perhaps).message).toContain("orElse()");
  expect(refused(({ train: data }) => fitAll({ images: data })).message).toContain("a collection is wanted");
  expect(refused(({ train: data }) => fitAll({ images: data.rows() })).message).toContain("single artifacts");
});

test("a missing input and one too many are told apart, with what the task has", () => {
  expect(refused(() => train({}, { lr: 1 }))).toMatchObject({
    code: "WF_INPUT_MISSING",
    message: 'input "data" of task "train" is not given',
    line: expect.stringContaining("train({}, { lr: 1 })"),
  });
  expect(refused(({ train: data, val }) => train({ data, vla: val }, { lr: 1 }))).toMatchObject({
    code: "WF_INPUT_UNKNOWN",
    hint: "its inputs are: data, start, extra",
    line: expect.stringContaining("vla: val"),
  });
});

test("what every object inherits is neither given nor declared", () => {
  const odd: Untyped = task({
    name: "odd",
    inputs: { constructor: file("txt") },
    outputs: { text: file("txt") },
    params: z.object({ valueOf: z.string().default("a") }),
    command: ({ inputs, outputs }) => ["odd", inputs.constructor, outputs.text],
  });
  expect(refused(() => odd({}))).toMatchObject({ code: "WF_INPUT_MISSING" });
  expect(study(({ words }) => odd({ constructor: words })).nodes.get("odd")).toMatchObject({
    params: { valueOf: { ref: "const", value: "a" } },
  });
  for (const name of ["constructor", "toString", "__proto__"]) {
    const given = (value: unknown) => Object.fromEntries([[name, value]]);
    expect(refused(({ train: data }) => train({ data, ...given(data) }, { lr: 1 })).code).toBe("WF_INPUT_UNKNOWN");
    expect(refused(({ train: data }) => train({ data }, { lr: 1, ...given(1) })).code).toBe("WF_PARAM_INVALID");
    expect(refused(({ train: data }) => segment({ image: data.column(name) })).code).toBe("WF_OUTPUT_UNKNOWN");
  }
});

test.each([
  ["missing", {}, 'parameter "lr"'],
  ["unknown", { lr: 1, layers: 3 }, 'no parameter "layers"'],
  ["of another type", { lr: "fast" }, 'parameter "lr"'],
  ["refused by its schema", { lr: 1, epochs: 1.5 }, 'parameter "epochs"'],
  ["outside of its choices", { lr: 1, mode: "medium" }, 'parameter "mode"'],
])("a parameter that is %s names the task and the line", (_, params, message) => {
  const { code, line, where, message: said } = refused(({ train: data }) => train({ data }, params));
  expect({ code, line, where }).toEqual({
    code: "WF_PARAM_INVALID",
    line: expect.stringContaining("train({ data }, params)"),
    where: expect.stringContaining('task "train"'),
  });
  expect(said).toContain(message);
});

test("a value of another type does not become a parameter", () => {
  const size = ({ train: data }: Untyped) => {
    data.rows().map(({ image }: Untyped) => train({ data }, { lr: segment({ image }).size }));
  };
  expect(refused(size)).toMatchObject({
    code: "WF_PARAM_INVALID",
    message: 'parameter "lr": the value is of type object, and number is wanted',
  });
});

test("a fit takes neither test nor unsplit data, and says how to go on", () => {
  expect(refused(({ test: held }) => train({ data: held }, { lr: 1 }))).toMatchObject({
    code: "WF_SPLIT_FIT",
    message: 'input "data" is made from test data, and "train" fits',
    hint: expect.stringContaining("carried()"),
    line: expect.stringContaining("data: held"),
  });
  expect(refused(({ xrays }) => train({ data: xrays }, { lr: 1 })).message).toContain("made from unsplit data");
});

test("test data does not reach a fit on the way of a parameter, a collection, a row or a choice", () => {
  const scored = (given: Untyped, images: Untyped) =>
    predict({ model: train({ data: given.train }, { lr: 1 }).model, images });
  const ways: Record<string, (given: Untyped) => unknown> = {
    parameter: (given) => train({ data: given.train }, { lr: scored(given, given.test).score }, { as: "again" }),
    "another output": (given) => train({ data: given.train, start: scored(given, given.test).better }, { lr: 1 }),
    collection: ({ test: held }) => fitAll({ images: held.column("image") }),
    "results of a map": ({ test: held }) =>
      fitAll({ images: held.rows().map(({ image }: Untyped) => segment({ image })).mask }),
    list: ({ train: data, test: held }) => {
      zip({ a: data.column("image"), b: held.column("image") }).map(({ a, b }: Untyped) => fitAll({ images: [a, b] }));
    },
    row: ({ test: held }) => {
      held.rows().map(({ image }: Untyped) => fitAll({ images: [image] }));
    },
    chunk: ({ test: held }) => {
      held.chunks({ size: 2 }).map((data: Untyped) => train({ data }, { lr: 1 }));
    },
    "merged chunks": ({ test: held }) => train({ data: held.chunks({ size: 2 }).merge() }, { lr: 1 }),
    column: ({ test: held }) => train({ data: held.pick("image", "mask") }, { lr: 1 }),
    "one branch": (given) =>
      train(
        { data: when(atLeast(scored(given, given.val).score, 1), () => given.train, (() => given.test) as Untyped) },
        { lr: 1 },
      ),
    "one branch, as a collection": (given) =>
      fitAll({
        images: when(atLeast(scored(given, given.val).score, 1), () => given.train.column("image"), (() =>
          given.test.column("image")) as Untyped),
      }),
    "a choice by a test score": (given) =>
      train(
        {
          data: given.train,
          start: when(
            atLeast(scored(given, given.test).score, 1),
            () => train({ data: given.train }, { lr: 2 }).model,
            () => train({ data: given.train }, { lr: 3 }).model,
          ),
        },
        { lr: 1 },
      ),
    "a loop that a test score ends": (given) => {
      const { score } = scored(given, given.test);
      const best: Untyped = repeat({}, () => ({ model: (train as Untyped)({ data: given.train }, { lr: 2 }).model }), {
        atMost: 3,
        until: () => atLeast(score, 1),
      });
      train({ data: given.train, start: best.model }, { lr: 1 });
    },
    "the other one": (given) =>
      train(
        { data: (when(atLeast(scored(given, given.val).score, 1), () => given.train) as Untyped).orElse(given.test) },
        { lr: 1 },
      ),
  };
  for (const [way, body] of Object.entries(ways)) expect([way, refused(body).code]).toEqual([way, "WF_SPLIT_FIT"]);
});

test("test data does not reach a fit in the second round of a loop", () => {
  const second = ({ train: data, test: held }: Untyped) =>
    repeat(
      { model: nothing(file("pt")) },
      ({ model }: Untyped) => {
        const trained = train({ data, start: model }, { lr: 1 });
        const judged = predict({ model: trained.model, images: held });
        return { model: judged.better, score: judged.score };
      },
      { atMost: 3, until: ({ score }: Untyped) => atLeast(score, 1) },
    );
  expect(refused(second)).toMatchObject({
    code: "WF_SPLIT_FIT",
    message: 'input "start" is made from train and test data, and "train" fits',
    line: expect.stringContaining("start: model"),
  });
});

test("test data does not reach a fit inside a sub-workflow", () => {
  const part: Untyped = workflow({
    name: "part",
    inputs: { data: scans },
    build: ({ inputs }) => ({ model: (train as Untyped)({ data: inputs.data }, { lr: 1 }).model }),
  });
  expect(refused(({ test: held }) => part({ data: held }))).toMatchObject({
    code: "WF_SPLIT_FIT",
    where: expect.stringContaining('task "train"'),
  });
  expect(study(({ train: data }) => part({ data })).nodes.has("part/train")).toBe(true);
});

test("the one way out is carried(), and it leaves no trace of the split in the outputs", () => {
  const graph = study(({ train: data, test: held }) => trainCarrying({ data, along: held }));
  const node = graph.nodes.get("train-carrying") as TaskNode;
  expect(node.inputs.along).toMatchObject({ carried: true, splits: ["test"] });
  expect(node.outputSplits).toEqual({ model: ["train"] });
  expect(refused(({ test: held }) => trainCarrying({ data: held, along: held })).code).toBe("WF_SPLIT_FIT");
});

test("train, val and reference material may be fitted, and outputs carry the union", () => {
  const graph = study(({ train: data, val, words }) => {
    const first = train({ data, extra: words }, { lr: 0.1 });
    const tuned = train({ data: val, start: first.model }, { lr: first.metrics.dice }, { as: "tune" });
    return { model: tuned.model, dice: tuned.metrics.dice };
  });
  expect((graph.nodes.get("train") as TaskNode).outputSplits.model).toEqual(["train"]);
  expect((graph.nodes.get("tune") as TaskNode).outputSplits.model).toEqual(["train", "val"]);
  expect(graph.outputs.dice).toMatchObject({ kind: "metric", splits: ["train", "val"] });
});

test("split data is not split again under another label", () => {
  expect(refused(({ test: held }) => split({ all: held }))).toMatchObject({
    code: "WF_SPLIT_RELABEL",
    message: expect.stringContaining('input "all" is test data'),
    line: expect.stringContaining("split({ all: held })"),
  });
  const seeded = (given: Untyped) =>
    split({ all: given.xrays }, { seed: train({ data: given.train }, { lr: 1 }).metrics.dice });
  expect(refused(seeded).code).toBe("WF_SPLIT_RELABEL");
});

test("unknown outputs, metrics, columns and fields say what there is", () => {
  expect(refused(({ train: data }) => train({ data }, { lr: 1 }).modle)).toMatchObject({
    code: "WF_OUTPUT_UNKNOWN",
    hint: "its outputs are: model, log",
    line: expect.stringContaining(".modle"),
  });
  expect(refused(({ train: data }) => train({ data }, { lr: 1 }).metrics.accuracy)).toMatchObject({
    code: "WF_METRIC_UNKNOWN",
    hint: "its metrics are: loss, dice",
    line: expect.stringContaining(".accuracy"),
  });
  expect(refused(({ train: data }) => data.column("label"))).toMatchObject({
    code: "WF_OUTPUT_UNKNOWN",
    hint: "its columns are: image, mask",
    line: expect.stringContaining('column("label")'),
  });
  expect(refused(({ train: data }) => data.pick("image", "label")).message).toContain('"label"');
  const field = ({ train: data }: Untyped) => {
    data.rows().map(({ image }: Untyped) => segment({ image }).size.fields.height);
  };
  expect(refused(field)).toMatchObject({
    code: "WF_OUTPUT_UNKNOWN",
    hint: "its fields are: width",
    line: expect.stringContaining(".height"),
  });
});

test("a task outside of build() is refused where it is called", () => {
  expect(refusal(() => segment({}))).toMatchObject({
    code: "WF_DECLARATION",
    message: 'task "segment" is called outside of a workflow\'s build()',
    line: expect.stringContaining("segment({})"),
  });
});

test("a stage can have a name and resources of its own, and wrong ones are refused", () => {
  const call = (options: object) => (given: Untyped) => train({ data: given.train }, { lr: 1 }, options);
  const graph = study(call({ as: "train-big", resources: { cpus: 8 } }));
  expect((graph.nodes.get("train-big") as TaskNode).resources.cpus).toBe(8);
  expect(refused(call({ as: "train big" }))).toMatchObject({
    code: "WF_DECLARATION",
    line: expect.stringContaining("train({ data: given.train }"),
  });
  expect(refused(call({ resources: { memory: "lots" } }))).toMatchObject({
    code: "WF_DECLARATION",
    message: expect.stringContaining('resources.memory: "lots"'),
    where: expect.stringContaining('task "train"'),
  });
  expect(refused(call({ resources: { cores: 4 } })).message).toContain('no property "cores"');
});

test("a task used twice is two stages, and defaults are part of its parameters", () => {
  const graph = study(({ train: data }) => [train({ data }, { lr: 1 }), train({ data }, { lr: 2 })].slice(2));
  expect([...graph.nodes.keys()]).toEqual(["split", "train", "train-2"]);
  expect((graph.nodes.get("train-2") as TaskNode).params).toEqual({
    lr: { ref: "const", value: 2 },
    epochs: { ref: "const", value: 8 },
  });
});

test("a task sees only the columns that it declares", () => {
  const graph = study(({ train: data }) => predict({ model: train({ data }, { lr: 1 }).model, images: data }));
  const { inputs } = graph.nodes.get("predict") as TaskNode;
  expect(inputs.images?.ref).toMatchObject({ ref: "pick", columns: ["image"] });
});
