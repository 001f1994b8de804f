import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  atLeast,
  dataset,
  each,
  file,
  type Graph,
  inOrder,
  json,
  many,
  repeat,
  task,
  when,
  workflow,
} from "./index.ts";
import { refusalsIn, type Untyped } from "./test-refusal.ts";

const path = fileURLToPath(import.meta.url);
const refusal = refusalsIn(path, readFileSync(path, "utf8"));

const segment: Untyped = task({
  name: "segment",
  inputs: { image: file("png") },
  outputs: { mask: file("png"), score: json(z.number()) },
  command: ({ inputs, outputs }) => ["segment", inputs.image, outputs.mask],
});
const join: Untyped = task({
  name: "join",
  inputs: { masks: many(file("png")) },
  outputs: { all: file("zip") },
  params: z.object({ at: z.number().optional() }),
  command: ({ inputs, outputs }) => ["zip", outputs.all, inputs.masks],
});

function study(body: (given: Untyped) => unknown): Graph {
  return workflow({
    name: "study",
    inputs: { scans: dataset({ image: file("png") }), scan: file("png") },
    build: ({ inputs }: Untyped) => body(inputs) as never,
  }).toGraph();
}
const refused = (body: (given: Untyped) => unknown) => refusal(() => study(body));

/** Smuggles something out of the body of a map. */
function leaked(scans: Untyped, pick: (segmented: Untyped, row: Untyped, index: Untyped) => unknown): Untyped {
  let out: unknown;
  scans.rows().map((row: Untyped, index: Untyped) => {
    out = pick(segment({ image: row.image }), row, index);
    return {};
  });
  return out;
}

test("a body's result used outside of its map is refused, and the task and line are named", () => {
  const body = ({ scans }: Untyped) => {
    const one = leaked(scans, ({ mask }) => mask);
    join({ masks: [one] });
  };
  expect(refused(body)).toMatchObject({
    code: "WF_INPUT_TYPE",
    message: '"segment" is used outside of the body that it belongs to',
    where: expect.stringContaining('task "join"'),
    line: "join({ masks: [one] });",
  });
});

test.each<[string, (given: Untyped) => unknown]>([
  ["an item", ({ scans }) => segment({ image: leaked(scans, (_, row) => row.image) })],
  ["an index as a parameter", ({ scans }) => join({ masks: [] }, { at: leaked(scans, (_, __, index) => index) })],
  [
    "a task's result in another map",
    ({ scans }) => each([1]).map(() => join({ masks: [leaked(scans, (s) => s.mask)] })),
  ],
  [
    "a task's result in a condition",
    ({ scans }) =>
      when(
        atLeast(
          leaked(scans, (s) => s.score),
          1,
        ),
        () => undefined,
      ),
  ],
  [
    "a task's result as the start of a loop",
    ({ scans, scan }) =>
      repeat({ mask: leaked(scans, (s) => s.mask) }, () => segment({ image: scan }), {
        atMost: 2,
        until: ({ score }: Untyped) => atLeast(score, 1),
      }),
  ],
  [
    "a task's result as the end of a loop",
    ({ scans, scan }) =>
      repeat({}, () => segment({ image: scan }), {
        atMost: 2,
        until: () =>
          atLeast(
            leaked(scans, (s) => s.score),
            1,
          ),
      }),
  ],
  ["a task's result as the workflow's", ({ scans }) => ({ mask: leaked(scans, (s) => s.mask) })],
  [
    "a task's result from one branch in the other",
    ({ scan }) => {
      let out: Untyped;
      when(
        atLeast(segment({ image: scan }).score, 1),
        () => {
          out = segment({ image: scan });
        },
        () => void segment({ image: out.mask }),
      );
    },
  ],
])("%s outside of its body is refused", (_, body) => {
  const said = refused(body);
  expect({ code: said.code, message: said.message }).toEqual({
    code: "WF_INPUT_TYPE",
    message: expect.stringContaining("outside of the body that it belongs to"),
  });
  expect(said.where).not.toBe("");
});

test("what another workflow has made is refused as well", () => {
  let kept: Untyped;
  study(({ scan }) => {
    kept = segment({ image: scan }, {}, { as: "elsewhere" });
  });
  expect(refused(() => segment({ image: kept.mask })).message).toContain('"elsewhere" is used outside');
});

test("a body may use whatever stands outside of it, at any depth", () => {
  const graph = study(({ scans, scan }) => {
    const outer = segment({ image: scan });
    return scans
      .rows()
      .map(({ image }: Untyped, at: Untyped) => each([1, 2]).map(() => join({ masks: [outer.mask, image] }, { at })));
  });
  expect([...graph.nodes.keys()]).toEqual(["segment", "join", "map:join", "map:map:join"]);
});

test("inOrder makes an edge without data, inside of a body too", () => {
  const graph = study(({ scans, scan }) => {
    const first = segment({ image: scan });
    scans.rows().map(({ image }: Untyped) => inOrder(first, segment({ image }, {}, { as: "later" })));
  });
  expect(graph.nodes.get("later")?.after).toEqual(["segment"]);
});

test("inOrder takes what tasks return, and only what both can see", () => {
  expect(refused(({ scan }) => inOrder(scan, segment({ image: scan })))).toMatchObject({
    code: "WF_INPUT_TYPE",
    line: expect.stringContaining("inOrder(scan"),
  });
  const across = ({ scans, scan }: Untyped) => {
    const inside = leaked(scans, (segmented) => segmented);
    inOrder(inside, segment({ image: scan }));
  };
  expect(refused(across)).toMatchObject({
    code: "WF_INPUT_TYPE",
    message: '"segment" is used outside of the body that it belongs to',
    line: "inOrder(inside, segment({ image: scan }));",
  });
});
