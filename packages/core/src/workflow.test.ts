import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { dataset, each, file, isWorkflow, optional, type TaskNode, task, workflow } from "./index.ts";
import { refusalsIn, type Untyped } from "./test-refusal.ts";

const path = fileURLToPath(import.meta.url);
const refusal = refusalsIn(path, readFileSync(path, "utf8"));

const scans = dataset({ image: file("png") });
const count: Untyped = task({
  name: "count",
  inputs: { of: scans },
  outputs: { number: file("txt"), notes: file("txt") },
  params: z.object({ at: z.number().optional() }),
  command: ({ inputs, outputs }) => ["count", inputs.of, outputs.number],
});
const part: Untyped = workflow({
  name: "part",
  params: z.object({ at: z.number().default(3) }),
  inputs: { data: scans, trained: scans.as("train"), words: file("txt").as("reference") },
  build: ({ inputs, params }) => ({ number: count({ of: inputs.data }, { at: params.at }).number }),
});
const splitOff: Untyped = task({
  name: "split-off",
  inputs: { all: scans },
  outputs: { train: scans.as("train"), test: scans.as("test"), words: file("txt").as("reference") },
  command: ({ inputs }) => ["split", inputs.all],
});
const study = (options: object): Untyped =>
  workflow({ name: "study", inputs: { data: scans, file: file() }, build: () => ({}), ...options } as Untyped);

test.each<[string, object, string]>([
  ["an extra property", { steps: [] }, 'a workflow has no property "steps"'],
  ["a wrong name", { name: "my study" }, '"my study" is not a workflow\'s name'],
  ["an input that is no type", { inputs: { data: "scans/" } }, 'input "data" is wrong'],
  ["an input with a wrong name", { inputs: { "../data": scans } }, 'input "../data" is wrong'],
])("a workflow with %s is refused at its line", (_, options, message) => {
  expect(refusal(() => study(options))).toMatchObject({
    code: "WF_DECLARATION",
    message: expect.stringContaining(message),
    line: expect.stringContaining("workflow({"),
  });
});

test("parameters are checked by name and type, and have their defaults", () => {
  const params = z.object({ trials: z.number().int().min(1).default(4), name: z.string() });
  const searching = study({
    params,
    build: ({ params: { trials } }: Untyped) => ({ n: each([trials]).map((n) => n) }),
  });
  expect(searching.toGraph({ name: "a" }).params).toEqual({ trials: 4, name: "a" });
  const refusals: [object, string][] = [
    [{}, 'parameter "name"'],
    [{ name: "a", trials: "4" }, 'parameter "trials"'],
    [{ name: "a", trials: 0 }, 'parameter "trials"'],
    [{ name: "a", epochs: 1 }, "epochs"],
  ];
  for (const [given, message] of refusals) {
    expect(refusal(() => searching.toGraph(given))).toMatchObject({
      code: "WF_PARAM_INVALID",
      message: expect.stringContaining(message),
      where: expect.stringContaining('workflow "study"'),
      hint: expect.stringContaining("trials, name"),
    });
  }
});

test("an error of the user's own code keeps its line", () => {
  const broken = study({
    build: () => {
      throw new RangeError("too many");
    },
  });
  expect(refusal(() => broken.toGraph())).toMatchObject({
    code: "WF_WORKFLOW_THREW",
    message: "build() threw: too many",
    line: 'throw new RangeError("too many");',
  });
});

test.each<[string, () => unknown]>([
  ["a plain value", () => ({ report: 4 })],
  ["a path", () => "report.html"],
  ["a promise", async () => ({})],
])("build() that returns %s is refused", (_, build) => {
  const said = refusal(() => study({ build }).toGraph());
  expect(said).toMatchObject({ code: "WF_INPUT_TYPE", message: expect.stringContaining("which is no artifact") });
});

test("an output that could not be a file's name is refused", () => {
  const build = ({ inputs }: Untyped) => ({ "../report": inputs.file });
  expect(refusal(() => study({ build }).toGraph())).toMatchObject({
    code: "WF_DECLARATION",
    where: 'workflow "study"',
  });
});

test("an optional input is undefined in build() unless it is given or has a default, and the graph knows it only then", () => {
  const seen: unknown[] = [];
  const open: Untyped = workflow({
    name: "open",
    inputs: { data: scans, extra: optional(scans), usual: optional(file({ path: "usual.txt" })) },
    build: ({ inputs }: Untyped) => {
      seen.push(inputs.extra === undefined, inputs.usual === undefined);
      return { number: count({ of: inputs.extra ?? inputs.data }).number };
    },
  });
  const without = open.toGraph();
  const given = open.toGraph({}, ["extra"]);
  expect(seen).toEqual([true, false, false, false]);
  expect([Object.keys(without.inputs), Object.keys(given.inputs)]).toEqual([
    ["data", "usual"],
    ["data", "extra", "usual"],
  ]);
  expect((given.nodes.get("count") as TaskNode).inputs.of).not.toEqual(
    (without.nodes.get("count") as TaskNode).inputs.of,
  );
  const whole = study({ build: ({ inputs }: Untyped) => open({ data: inputs.data }) });
  expect([...whole.toGraph().nodes.keys()]).toEqual(["open/count"]);
});

test("a workflow used as a part stands under its name, with parameters of its own", () => {
  const graph = study({
    build: ({ inputs }: Untyped) => {
      const { train, words } = splitOff({ all: inputs.data });
      return {
        one: part({ data: inputs.data, trained: train, words }).number,
        two: part({ data: train, trained: train, words }, { at: 5 }).number,
      };
    },
  }).toGraph();
  expect([...graph.nodes.keys()]).toEqual(["split-off", "part/count", "part/count-2"]);
  expect((graph.nodes.get("part/count-2") as TaskNode).params).toEqual({ at: { ref: "const", value: 5 } });
  expect((graph.nodes.get("part/count-2") as TaskNode).outputSplits.number).toEqual(["train"]);
});

test.each<[string, string, (given: Untyped) => Untyped, Untyped?]>([
  ["WF_INPUT_MISSING", 'input "data"', ({ data, ...rest }) => rest],
  ["WF_INPUT_UNKNOWN", 'no input "dta"', (given) => ({ ...given, dta: given.data })],
  ["WF_INPUT_TYPE", 'input "data"', (given) => ({ ...given, data: given.words })],
  [
    "WF_INPUT_TYPE",
    'input "data" of workflow "part" is no single artifact',
    (given) => ({ ...given, data: given.data.column("image") }),
  ],
  [
    "WF_SPLIT_RELABEL",
    'input "trained" of workflow "part" is made from test data, and it takes train',
    (given) => ({ ...given, trained: given.held }),
  ],
  [
    "WF_SPLIT_RELABEL",
    "it takes reference material",
    (given) => ({ ...given, words: count({ of: given.trained }).number }),
  ],
  ["WF_PARAM_INVALID", 'parameter "at"', (given) => given, { at: "3" }],
])("a part is refused with %s", (code, message, change, params) => {
  const build = ({ inputs }: Untyped) => {
    const { train, test: held, words } = splitOff({ all: inputs.data });
    const given = change({ data: inputs.data, trained: train, words, held });
    const { held: _, ...rest } = given;
    part(rest, params);
  };
  expect(refusal(() => study({ build }).toGraph())).toMatchObject({
    code,
    message: expect.stringContaining(message),
    where: expect.stringContaining('workflow "part"'),
  });
});

test("a part outside of build() is refused, and only a workflow is one", () => {
  expect(refusal(() => part({})).code).toBe("WF_DECLARATION");
  expect([isWorkflow(part), isWorkflow(count), isWorkflow({}), isWorkflow(undefined)]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
