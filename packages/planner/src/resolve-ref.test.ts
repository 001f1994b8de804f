import {
  type Comparison,
  each,
  equals,
  type JsonHandle,
  json,
  type Ref,
  repeat,
  series,
  task,
  when,
  workflow,
} from "@wf/core";
import { canonical, type Json } from "@wf/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { Growth, number, plain } from "./test-unfolding.ts";

type Index = JsonHandle<number, never>;
const at = task({
  name: "at",
  outputs: { n: json(z.number()) },
  params: z.object({ outer: z.number(), middle: z.number(), inner: z.number().optional() }),
  command: () => ["at"],
});

/** Three rounds of a body, each of which makes a number. */
const bodies: Record<string, (body: (index: Index) => { n: JsonHandle<number> }) => void> = {
  "a map": (body) => each([7, 7, 7]).map((_, index) => body(index).n),
  "a series": (body) => series({ count: 3, window: 2, gives: { n: json(z.number()) } }, (_, index) => body(index)),
  "a loop": (body) => repeat({}, (_, index) => body(index), { atMost: 3, until: ({ n }) => equals(n, -1) }),
};

test.each(Object.entries(bodies))("an index is that of its own body, here of %s between two maps", (_, threeTimes) => {
  const graph = workflow({
    name: "study",
    build: () => {
      const body = (outer: Index, middle: Index) => {
        each([7, 7, 7, 7]).map((_, inner) => at({}, { outer, middle, inner }));
        when(equals(outer, 1), () => at({}, { outer, middle }, { as: "branch" }));
        return { n: at({}, { outer, middle }, { as: "beside" }).n };
      };
      each([7, 7]).map((_, outer) => threeTimes((middle) => body(outer, middle)));
      return {};
    },
  }).toGraph();
  const given = new Map<string, unknown[]>();
  new Growth(graph).run(({ node, index, params }) => {
    expect([params.outer, params.middle, params.inner].map(plain).slice(0, index.length)).toEqual(index);
    given.set(node.id, [...(given.get(node.id) ?? []), index]);
    return { n: number(0) };
  });
  expect([...given].map(([stage, all]) => [stage, new Set(all.map(String)).size])).toEqual(
    expect.arrayContaining([
      ["at", 2 * 3 * 4],
      ["beside", 2 * 3],
      ["branch", 3],
    ]),
  );
});

const nowhere = new Growth(workflow({ name: "study", build: () => ({}) }).toGraph());
const resolved = (ref: Ref) => plain(nowhere.unfolding.resolve(ref));
const constant = (value: Json): Ref => ({ ref: "const", value });
const compared = (op: Comparison, left: Ref, right: Ref) => resolved({ ref: "compare", op, left, right });

test("numbers are compared as numbers are, equal ones too", () => {
  const small = fc.integer({ min: -3, max: 3 });
  fc.assert(
    fc.property(small, small, (a, b) => {
      const ops = ["<", "<=", ">", ">=", "==", "!="] as const;
      const answers = ops.map((op) => compared(op, constant(a), constant(b)));
      expect(answers).toEqual([a < b, a <= b, a > b, a >= b, a === b, a !== b]);
    }),
  );
});

test("values are equal if they are the same JSON, in whatever order their members stand", () => {
  const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(value, value, (a, b) => {
      const copy = JSON.parse(JSON.stringify(a)) as Json;
      expect([compared("==", constant(a), constant(copy)), compared("!=", constant(a), constant(copy))]).toEqual([
        true,
        false,
      ]);
      expect(compared("==", constant(a), constant(b))).toBe(canonical(a) === canonical(b));
    }),
  );
  expect(compared("!=", constant({ a: 1, b: 2 }), constant({ b: 2, a: 1 }))).toBe(false);
});

test("conditions are joined as and, or and not are, and what is absent holds for none", () => {
  const parts = fc.array(fc.constantFrom<(boolean | "absent")[]>(true, false, "absent"), { minLength: 1 });
  fc.assert(
    fc.property(parts, (given) => {
      const of = given.map((part): Ref => (part === "absent" ? { ref: "absent" } : constant(part)));
      const truths = given.map((part) => part === true);
      expect(resolved({ ref: "logic", op: "and", of })).toBe(truths.every(Boolean));
      expect(resolved({ ref: "logic", op: "or", of })).toBe(truths.some(Boolean));
      expect(resolved({ ref: "logic", op: "not", of: of.slice(0, 1) })).toBe(!truths[0]);
    }),
  );
  for (const op of ["==", "!=", "<=", ">="] as const)
    expect(compared(op, { ref: "absent" }, { ref: "absent" })).toBe(false);
});

test("what is made of something absent is absent, unless another stands in", () => {
  const of: Ref = { ref: "absent" };
  const made: Ref[] = [
    { ref: "field", of, name: "n" },
    { ref: "items", of },
    { ref: "rows", of },
    { ref: "column", of, column: "n" },
    { ref: "pick", of, columns: ["n"] },
    { ref: "files", of, glob: "*" },
    { ref: "flat", of },
    { ref: "merge", of, columns: {} },
  ];
  expect(made.map(resolved)).toEqual(made.map(() => "absent"));
  expect(resolved({ ref: "else", of, otherwise: constant(3) })).toBe(3);
  expect(resolved({ ref: "else", of: constant(2), otherwise: constant(3) })).toBe(2);
});
