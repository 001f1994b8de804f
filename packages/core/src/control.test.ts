import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  atLeast,
  both,
  dataset,
  datasetOf,
  directory,
  each,
  equals,
  file,
  type Graph,
  json,
  many,
  not,
  nothing,
  optional,
  part,
  type RepeatNode,
  repeat,
  series,
  type TaskNode,
  task,
  tolerate,
  type WhenNode,
  when,
  workflow,
  zip,
} from "./index.ts";
import { refusalsIn, type Untyped } from "./test-refusal.ts";

const path = fileURLToPath(import.meta.url);
const refusal = refusalsIn(path, readFileSync(path, "utf8"));

const scans = dataset({ image: file("png"), mask: file("png") });
const segment: Untyped = task({
  name: "segment",
  inputs: { image: file("png") },
  outputs: { mask: file("png"), score: json(z.number()), log: file("txt"), notes: optional(file("txt")) },
  command: ({ inputs, outputs }) => ["segment", inputs.image, outputs.mask],
});
const join: Untyped = task({
  name: "join",
  inputs: { masks: many(file("png")) },
  outputs: { all: file("zip"), folder: directory() },
  command: ({ inputs, outputs }) => ["zip", outputs.all, inputs.masks],
});
const refine: Untyped = task({
  name: "refine",
  inputs: { from: optional(file("png")), image: file("png") },
  outputs: { mask: file("png"), score: json(z.number()) },
  command: ({ inputs, outputs }) => ["refine", inputs.image, outputs.mask],
});

function study(body: (given: Untyped) => unknown): Graph {
  return workflow({
    name: "study",
    inputs: { scans, scan: file("png"), words: file("txt") },
    build: ({ inputs }: Untyped) => body(inputs) as never,
  }).toGraph();
}
const refused = (body: (given: Untyped) => unknown) => refusal(() => study(body));

test("a map is one node with a body, whatever the size of its list", () => {
  const graph = study(({ scans: all }) => ({
    masks: all.rows().map(({ image }: Untyped) => segment({ image })).mask,
    numbers: each(Array.from({ length: 10_000 }, (_, i) => i)).map((n) => n),
  }));
  expect([...graph.nodes.keys()]).toEqual(["segment", "map:segment", "map:nothing"]);
  expect(graph.scopes.map(({ owner, parent, nodes }) => ({ owner, parent, nodes }))).toEqual([
    { owner: undefined, parent: undefined, nodes: ["map:segment", "map:nothing"] },
    { owner: "map:segment", parent: 0, nodes: ["segment"] },
    { owner: "map:nothing", parent: 0, nodes: [] },
  ]);
  expect(graph.outputs.masks).toMatchObject({ kind: "collection", ref: { ref: "result", node: "map:segment" } });
});

test("the body of a map runs once while the graph is built", () => {
  let times = 0;
  study(() => {
    each([1, 2, 3]).map((n) => {
      times++;
      return n;
    });
  });
  expect(times).toBe(1);
});

test("a loop keeps one body although its splits are found by tracing it again", () => {
  const graph = study(({ scan }) =>
    repeat({ mask: nothing(file("png")) }, ({ mask }: Untyped) => refine({ from: mask, image: scan }), {
      atMost: 3,
      until: ({ score }: Untyped) => atLeast(score, 0.9),
    }),
  );
  expect([...graph.nodes.keys()]).toEqual(["refine", "repeat:refine"]);
  const { body, atMost, start } = graph.nodes.get("repeat:refine") as RepeatNode;
  expect({ body, atMost, start }).toEqual({ body: 1, atMost: 3, start: { mask: { ref: "absent" } } });
  expect((graph.nodes.get("refine") as TaskNode).inputs.from).toMatchObject({
    ref: { ref: "state", scope: 1, name: "mask" },
    splits: ["unsplit"],
  });
});

test("what only one branch gives may be absent", () => {
  const graph = study(({ scan }) => {
    const first = segment({ image: scan });
    const again = when(atLeast(first.score, 0.5), () => segment({ image: first.mask })) as Untyped;
    return { mask: again.mask.orElse(first.mask) };
  });
  expect(graph.outputs.mask?.ref).toMatchObject({ ref: "else", of: { ref: "result", node: "when:segment-2" } });
  expect((graph.nodes.get("when:segment-2") as WhenNode).no).toBeUndefined();
});

test("of two branches the wider one counts: what one may leave out may be absent", () => {
  const chosen = (then: (first: Untyped) => unknown, otherwise: (first: Untyped) => unknown) =>
    study(({ scan }) => {
      const first = segment({ image: scan });
      const text: Untyped = when(
        not(equals(first.score, 1)),
        () => then(first),
        () => otherwise(first),
      );
      return { text: text.orElse(first.log) };
    });
  const certain = ({ log }: Untyped) => log;
  const perhaps = ({ notes }: Untyped) => notes;
  for (const graph of [chosen(certain, perhaps), chosen(perhaps, certain)]) {
    expect(graph.outputs.text?.ref).toMatchObject({ ref: "else", of: { ref: "result" } });
  }
});

test.each<[string, (given: Untyped) => unknown, string]>([
  [
    "branches with other names",
    ({ scan }) =>
      when(equals(segment({ image: scan }).score, 1), () => ({ a: scan }), (() => ({ b: scan })) as Untyped),
    'only the first returns "a"',
  ],
  [
    "branches of other types",
    ({ scan, words }) => when(equals(segment({ image: scan }).score, 1), () => scan, (() => words) as Untyped),
    '"value" of the second: it is a txt file, and a png file is wanted',
  ],
  [
    "a branch that gives one and one that gives several",
    ({ scan, scans: all }) =>
      when(equals(segment({ image: scan }).score, 1), () => scan, (() => all.column("image")) as Untyped),
    "it is no single artifact",
  ],
  [
    "a condition that was compared at once",
    ({ scan }) => when((segment({ image: scan }).score > 1) as Untyped, () => scan),
    "is no value that a run will know",
  ],
  ["a condition made of a plain boolean", () => both(true as Untyped), "is no value that a run will know"],
  ["a comparison of files", ({ scan }) => equals(scan, scan), "only values can be compared"],
  [
    "a loop whose end was compared at once",
    ({ scan }) =>
      repeat({}, () => segment({ image: scan }), { atMost: 2, until: ({ score }: Untyped) => (score > 1) as Untyped }),
    "is no value that a run will know",
  ],
  [
    "a round that gives another type than the next one takes",
    ({ scan }) =>
      repeat(
        { mask: nothing(file("png")) },
        (() => ({ mask: segment({ image: scan }).log, score: segment({ image: scan }).score })) as Untyped,
        { atMost: 2, until: ({ score }: Untyped) => atLeast(score, 1) },
      ),
    'cannot take "mask": it is a txt file, and a png file is wanted',
  ],
  [
    "a round that may give nothing where something is needed",
    ({ scan, words }) =>
      repeat(
        { text: words },
        (() => ({ text: segment({ image: scan }).notes, score: segment({ image: scan }).score })) as Untyped,
        { atMost: 2, until: ({ score }: Untyped) => atLeast(score, 1) },
      ),
    'cannot take "text": it may be absent',
  ],
  ["a list of artifacts of two types", ({ scan, words }) => each([scan, words]), "not artifacts of one type"],
  ["a list of an artifact and a value", ({ scan }) => each([1, scan]), "not artifacts of one type"],
  ["a list of what is no value", ({ scan }) => each([{ scan }]), "element 0 is neither an artifact nor a JSON value"],
  [
    "rows in a zip",
    ({ scans: all }) => zip({ all: all.rows() as Untyped }),
    '"all" is no collection of single artifacts',
  ],
  ["an artifact in a zip", ({ scan }) => zip({ scan: scan as Untyped }), '"scan" is no collection'],
  ["a dataset of a file", ({ scan }) => datasetOf({ scan: scan as Untyped }), '"scan" is no collection'],
  [
    "another one of another type",
    ({ scan, words }) => segment({ image: scan }).notes.orElse(scan) && words,
    "orElse() cannot take",
  ],
  ["flat() of single artifacts", ({ scans: all }) => all.column("image").flat(), "collection of collections"],
  ["merge() of files", ({ scans: all }) => all.column("image").merge(), "collection of datasets"],
  [
    "a body that returns a plain value",
    () => each([1]).map((() => ({ a: 1 })) as Untyped),
    'the body returns "a", which is no artifact',
  ],
])("%s is refused with its line", (_, body, message) => {
  const said = refused(body);
  expect(said).toMatchObject({ code: "WF_INPUT_TYPE", message: expect.stringContaining(message) });
  expect(said.hint).toBeDefined();
  expect(said.line).not.toBe("");
});

test.each([0, 1.5, -1, "2"])("a loop of at most %j rounds is refused", (atMost) => {
  const loop = () => repeat({}, () => ({}), { atMost: atMost as number, until: () => ({}) as Untyped });
  expect(refused(loop)).toMatchObject({ code: "WF_DECLARATION", line: expect.stringContaining("repeat({}") });
});

test("a round that does not return what the next one needs is refused", () => {
  const loop = ({ scan }: Untyped) =>
    repeat({ mask: nothing(file("png")) }, (() => ({ score: segment({ image: scan }).score })) as Untyped, {
      atMost: 2,
      until: ({ score }: Untyped) => atLeast(score, 1),
    });
  expect(refused(loop)).toMatchObject({ code: "WF_OUTPUT_UNKNOWN", message: expect.stringContaining('"mask"') });
});

test.each([0, 2.5, Number.NaN])("chunks of %j rows are refused", (size) => {
  expect(refused(({ scans: all }) => all.chunks({ size }))).toMatchObject({
    code: "WF_DECLARATION",
    line: expect.stringContaining("all.chunks({ size })"),
  });
});

test("a dataset made of collections is the union of their splits", () => {
  const graph = study(({ scans: all }) => {
    const masks = all.rows().map(({ image }: Untyped) => segment({ image })).mask;
    const predicted: Untyped = datasetOf({ image: all.column("image"), mask: masks });
    return { joined: join({ masks: predicted.column("mask") }).all };
  });
  expect((graph.nodes.get("join") as TaskNode).inputs.masks).toMatchObject({ splits: ["unsplit"], many: true });
});

test("what a body does not return is refused at the line that asks for it", () => {
  const rated: Untyped = task({
    name: "rated",
    outputs: { mask: file("png") },
    metrics: ["loss"],
    command: () => ["rate"],
  });
  const metrics = refused(({ scans: all }) => {
    const masks = all.column("image").map(() => rated({}));
    return { losses: masks.metrics.loss };
  });
  expect(metrics).toMatchObject({
    code: "WF_OUTPUT_UNKNOWN",
    message: 'the body of map() returns no "metrics"',
    hint: expect.stringContaining("loss: trained.metrics.loss"),
    line: "return { losses: masks.metrics.loss };",
  });
  const branch = refused(({ scan }) => {
    const segmented: Untyped = when(equals(segment({ image: scan }).score, 1), () => rated({}));
    return { mask: segmented.msak };
  });
  expect(branch).toMatchObject({ hint: "it returns: mask", line: "return { mask: segmented.msak };" });
});

test("a handle that is walked like an array is refused with the way to walk it", () => {
  const walked = refused(({ scans: all }) => ({ masks: all.map((image: Untyped) => segment({ image })) }));
  expect(walked).toMatchObject({
    code: "WF_WORKFLOW_THREW",
    hint: expect.stringContaining("data.rows().map(…)"),
    line: expect.stringContaining("all.map"),
  });
});

test("a series gives later rounds what earlier ones returned, with its splits", () => {
  const graph = study(({ scans: all, scan }) =>
    series({ count: 5, window: 2, gives: { mask: file("png") } }, (earlier: Untyped) => {
      const joined = join({ masks: earlier.mask });
      segment({ image: scan });
      return { mask: refine({ image: scan }).mask, folder: joined.folder, whole: all };
    }),
  );
  const [node] = [...graph.nodes.values()].filter(({ kind }) => kind === "series");
  expect(node).toMatchObject({ count: 5, window: 2 });
  const joined = graph.nodes.get("join") as TaskNode;
  expect(joined.inputs.masks).toMatchObject({ ref: { ref: "state", name: "mask" }, splits: ["unsplit"] });
});

test("a series refuses what later rounds cannot take", () => {
  const rounds = (gives: Untyped, body: Untyped) => () => study(() => series({ count: 2, window: 1, gives }, body));
  expect(refusal(rounds({ mask: file("png") }, () => ({}))).code).toBe("WF_OUTPUT_UNKNOWN");
  const notes = ({ words }: Untyped) => ({ mask: words });
  expect(
    refusal(() => study((given) => series({ count: 2, window: 1, gives: { mask: file("png") } }, () => notes(given)))),
  ).toMatchObject({ code: "WF_INPUT_TYPE" });
  expect(refusal(() => study(() => series({ count: 0, window: 1, gives: {} }, () => ({})))).message).toContain(
    "count 0",
  );
  expect(refusal(() => study(() => series({ count: 2, window: 1.5, gives: {} }, () => ({})))).message).toContain("1.5");
});

test("what tolerate() gives may be absent", () => {
  const graph = study(({ scan }) => {
    const { mask } = tolerate(() => segment({ image: scan })) as Untyped;
    return { mask: refine({ image: scan, from: mask }).mask };
  });
  expect((graph.nodes.get("refine") as TaskNode).inputs.from).toMatchObject({ ref: { ref: "result", name: "mask" } });
  expect(
    refusal(() =>
      study(({ scan }) => ({ m: segment({ image: (tolerate(() => segment({ image: scan })) as Untyped).mask }).mask })),
    ).code,
  ).toBe("WF_INPUT_TYPE");
});

test("a part puts its stages under its name", () => {
  const graph = study(({ scan }) => part("second", () => segment({ image: segment({ image: scan }).mask })));
  expect([...graph.nodes.keys()]).toEqual(["second/segment", "second/segment-2"]);
  expect(refusal(() => study(() => part("no name", () => ({})))).code).toBe("WF_DECLARATION");
});
