import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonical, type Json, type Value } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { directoryValue } from "./composite-value.ts";
import { datasetFromColumns } from "./dataset.ts";
import { ObjectStore } from "./object-store.ts";
import { valueHash } from "./value-hash.ts";

const root = mkdtempSync(join(tmpdir(), "wf-value-hash-"));
const objects = new ObjectStore(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What a task would see, from so small an alphabet that equal contents are common. */
type Content =
  | { file: string; name: string }
  | { json: Json }
  | { tree: { [path: string]: string } }
  | { rows: { x: string; y: number }[] }
  | { list: Content[] }
  | { absent: true };

const word = fc.constantFrom("a", "b", '{"entries":[],"kind":"directory"}');
const { content } = fc.letrec<{ content: Content }>((tie) => ({
  content: fc.oneof(
    { maxDepth: 2 },
    fc.constant({ absent: true } as const),
    fc.record({ file: word, name: fc.constantFrom("n", "m") }),
    fc.record({ json: fc.oneof(word, fc.constant({ entries: [], kind: "directory" }), fc.constant([])) }),
    fc.record({ tree: fc.dictionary(fc.constantFrom("p", "q"), word, { maxKeys: 2 }) }),
    fc.record({ rows: fc.array(fc.record({ x: word, y: fc.integer({ min: 0, max: 1 }) }), { maxLength: 2 }) }),
    fc.record({ list: fc.array(tie("content"), { maxLength: 2 }) }),
  ),
}));

function stored(given: Content): Value {
  if ("absent" in given) return { kind: "absent" };
  if ("file" in given) return objects.putBytes(Buffer.from(given.file), given.name);
  if ("json" in given) return objects.putJson(given.json);
  if ("list" in given) return { kind: "list", items: given.list.map(stored) };
  if ("tree" in given) {
    const files = Object.entries(given.tree).map(([path, text]) => ({
      path,
      ...objects.putBytes(Buffer.from(text), "x"),
      executable: false,
    }));
    return directoryValue(objects, files);
  }
  const cells = given.rows.map(({ x }, index) => objects.putBytes(Buffer.from(x), String(index)));
  return datasetFromColumns(
    objects,
    { x: cells, y: given.rows.map(({ y }) => objects.putJson(y)) },
    { x: "file", y: "value" },
  );
}

it("is equal exactly when the content is", () => {
  fc.assert(
    fc.property(content, content, (one, other) => {
      const isSame = canonical(one as unknown as Json) === canonical(other as unknown as Json);
      expect(valueHash(stored(one)) === valueHash(stored(other))).toBe(isSame);
      expect(valueHash(stored(one))).toBe(valueHash(stored(structuredClone(one))));
    }),
    cases(200),
  );
});

it("tells a JSON text from the manifest or the file that it could pass for", () => {
  const directory = directoryValue(objects, []);
  const json = objects.putJson({ entries: [], kind: "directory" });
  const file = objects.putBytes(Buffer.from('{"entries":[],"kind":"directory"}'), "x");
  expect(new Set([directory.hash, json.hash, file.hash]).size).toBe(1);
  expect(new Set([directory, json, file].map(valueHash)).size).toBe(3);
});

it("tells nested lists from flat ones, and nothing from an empty list", () => {
  const absent: Value = { kind: "absent" };
  const list = (...items: Value[]): Value => ({ kind: "list", items });
  const values = [absent, list(), list(absent), list(absent, absent), list(list(absent)), list(list(), absent)];
  expect(new Set(values.map(valueHash)).size).toBe(values.length);
});
