import { datasetFromColumns, valueHash } from "@wf/data";
import { listOf, type Resolved } from "@wf/planner";
import type { Json, Value } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { StoreFixture } from "../testing/store-fixture.ts";
import { keepValue, resolveValue, valueOps } from "./value-ops.ts";

const fixture = new StoreFixture();
afterAll(() => fixture.close());
const { objects } = fixture;
const ops = valueOps(objects);
const json = (value: Json): Resolved => ({ kind: "json", value });
const file = (text: string) => objects.putBytes(Buffer.from(text), `${text}.txt`);

it("gives a value one hash, whether a task made it or it was computed on the way", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>, (value) => {
      const stored = objects.putJson(value);
      expect(ops.hash(json(stored.value))).toBe(valueHash(stored));
      expect(ops.hash(listOf([json(stored.value), file("a")]))).toBe(
        valueHash({ kind: "list", items: [stored, file("a")] }),
      );
    }),
    cases(50),
  );
});

it("gives a record one hash, in whatever order its fields stand", () => {
  const record = (fields: Record<string, Resolved>): string => ops.hash({ kind: "record", fields });
  expect(record({ a: json(1), b: json(2) })).toBe(record({ b: json(2), a: json(1) }));
  expect(record({ a: json(1), b: json(2) })).not.toBe(record({ a: json(2), b: json(1) }));
});

it("keeps a value as it was before", () => {
  const value: Value = { kind: "list", items: [file("a"), objects.putJson({ n: 1 }), { kind: "absent" }] };
  expect(keepValue(objects, resolveValue(value))).toEqual(value);
  expect(keepValue(objects, json({ n: 1 }))).toEqual(objects.putJson({ n: 1 }));
});

it("knows a list that was cut from an artifact by the artifact and by how it was cut", () => {
  const rows = (text: string) =>
    datasetFromColumns(objects, { image: [file(text), file("b")], mask: [file(text), file("b")] });
  const [one, other] = [rows("a"), rows("c")];
  const lists = [one, other].flatMap((dataset) => [
    ops.rows(dataset),
    ops.chunks(dataset, 1),
    ops.chunks(dataset, 2),
    ops.column(dataset, "image"),
    ops.column(dataset, "mask"),
  ]);
  expect(new Set(lists.map((list) => list.identity?.())).size).toBe(lists.length);
  expect(ops.column(rows("a"), "image").identity?.()).toBe(ops.column(one, "image").identity?.());
});
