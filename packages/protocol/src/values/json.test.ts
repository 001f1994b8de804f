import { isDeepStrictEqual } from "node:util";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical, type Json } from "../index.ts";
import { isJson, isNestedWithin, MOST_NESTED, MOST_NESTED_DOCUMENT } from "./json.ts";

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

/** The same value, with the members of every object in another order. */
function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([key, member]) => [key, shuffled(member as Json)]));
}

test("the order of members does not change the text", () => {
  fc.assert(fc.property(json, (value) => canonical(shuffled(value)) === canonical(value)));
});

test("the text is JSON of the same value", () => {
  fc.assert(
    fc.property(json, (value) => isDeepStrictEqual(JSON.parse(canonical(value)), JSON.parse(JSON.stringify(value)))),
  );
});

/** Few enough that two of them are often the same, or nearly so. */
const { small } = fc.letrec<{ small: Json }>((tie) => ({
  small: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Json>(null, true, 0, 1, "", "1", "a", "null"),
    fc.array(tie("small"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b"), tie("small"), { maxKeys: 2, noNullPrototype: true }),
  ),
}));

test("two values have one text if and only if they are the same", () => {
  fc.assert(
    fc.property(small, small, (one, other) => (canonical(one) === canonical(other)) === isDeepStrictEqual(one, other)),
    cases(500),
  );
});

test("members that are undefined are left out, and names are in the order of their code units", () => {
  expect(canonical({ b: undefined, a: 1 } as never)).toBe('{"a":1}');
  expect(canonical({ ä: 1, z: 2, Z: 3, "10": 4, "9": 5, "": 6 })).toBe('{"":6,"10":4,"9":5,"Z":3,"z":2,"ä":1}');
});

/** `[[…]]`, or the same of objects. */
function nested(levels: number, kind: "list" | "object"): Json {
  let value: Json = kind === "list" ? [] : {};
  for (let level = 1; level < levels; level += 1) value = kind === "list" ? [value] : { a: value };
  return value;
}

test.each(["list", "object"] as const)("how deep a %s is nested is known, however deep it is", (kind) => {
  expect(isNestedWithin(0, 7)).toBe(true);
  expect(isNestedWithin(MOST_NESTED, nested(MOST_NESTED, kind))).toBe(true);
  expect(isNestedWithin(MOST_NESTED, nested(MOST_NESTED + 1, kind))).toBe(false);
  expect(isNestedWithin(MOST_NESTED, [1, { a: nested(1_000_000, kind) }])).toBe(false);
  expect(canonical(nested(MOST_NESTED_DOCUMENT, kind))).toHaveLength(kind === "list" ? 528 : 528 + 4 * 263);
});

test("JSON all the way down is told from what is not", () => {
  fc.assert(fc.property(json, (value) => isJson(value)));
  for (const value of [undefined, Number.NaN, new Date(0), () => 1, [new Map()], { a: { b: 1n } }]) {
    expect(isJson(value)).toBe(false);
  }
});
