import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatasetValue, DirectoryValue, FileValue, Value } from "@wf/protocol";
import { afterAll, expect, it } from "vitest";
import { directoryValue } from "./composite-value.ts";
import { datasetFromColumns } from "./dataset.ts";
import { diffValues } from "./diff-values.ts";
import { ObjectStore } from "./object-store.ts";

const root = mkdtempSync(join(tmpdir(), "wf-diff-values-"));
const objects = new ObjectStore(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const file = (text: string, name: string): FileValue => objects.putBytes(Buffer.from(text), name);
const list = (...items: Value[]): Value => ({ kind: "list", items });
const diff = (before: Value, after: Value) => diffValues(objects, before, after);
const NOTHING = { differing: 0, added: 0, removed: 0, examples: [] };

function directory(files: { readonly [path: string]: string }, executable = false): DirectoryValue {
  return directoryValue(
    objects,
    Object.entries(files).map(([path, text]) => ({ path, ...file(text, "x"), executable })),
  );
}

function dataset(rows: readonly (readonly [name: string, image: string, mask: string, label: string])[]): DatasetValue {
  return datasetFromColumns(objects, {
    image: rows.map(([name, text]) => file(text, `${name}.png`)),
    mask: rows.map(([name, , text]) => file(text, `${name}.tif`)),
    label: rows.map(([, , , label]) => objects.putJson(label)),
  });
}

it("counts the files of a directory that differ, by path", () => {
  const before = directory({ a: "1", b: "1", c: "1", "d/e": "1" });
  const after = directory({ a: "1", b: "2", c: "1", "d/f": "1" });
  expect(diff(before, after)).toEqual({
    unit: "file",
    total: 4,
    differing: 1,
    added: 1,
    removed: 1,
    examples: [
      { name: "b", change: "differs" },
      { name: "d/f", change: "added" },
      { name: "d/e", change: "removed" },
    ],
  });
  expect(diff(before, before)).toEqual({ unit: "file", total: 4, ...NOTHING });
});

it("notices folders that hold nothing, and does not count them as files", () => {
  const withFolders = (...folders: string[]) =>
    directoryValue(objects, [{ path: "a", ...file("1", "x"), executable: false }], folders);
  expect(diff(withFolders("b", "c"), withFolders("c", "d"))).toMatchObject({
    total: 1,
    differing: 0,
    added: 1,
    removed: 1,
    examples: [
      { name: "d/", change: "added" },
      { name: "b/", change: "removed" },
    ],
  });
});

it("notices that a file became executable", () => {
  expect(diff(directory({ a: "1" }), directory({ a: "1" }, true))).toMatchObject({ differing: 1 });
});

it("names a few examples, not all", () => {
  const many = (text: string) => directory(Object.fromEntries([...Array(100).keys()].map((i) => [`f${i}`, text])));
  const result = diff(many("1"), many("2"));
  expect(result).toMatchObject({ total: 100, differing: 100 });
  expect(result.examples).toHaveLength(5);
});

const ROWS = [
  ["r1", "i1", "m1", "cat"],
  ["r2", "i2", "m2", "dog"],
  ["r3", "i3", "m3", "dog"],
] as const;

it("counts the files of a dataset that differ, by column and name", () => {
  const after = dataset([ROWS[0], ["r2", "i2", "changed", "dog"], ["r4", "i3", "m3", "dog"]]);
  expect(diff(dataset(ROWS), after)).toMatchObject({ unit: "file", total: 6, differing: 1, added: 2, removed: 2 });
  expect(diff(dataset(ROWS), after).examples[0]).toEqual({ name: "mask/r2.tif", change: "differs" });
});

it("counts the rows of a dataset when all files are the same", () => {
  expect(diff(dataset(ROWS), dataset([ROWS[0], ["r2", "i2", "m2", "cat"], ROWS[2]]))).toEqual({
    unit: "row",
    total: 3,
    differing: 1,
    added: 0,
    removed: 0,
    examples: [{ name: "r2", change: "differs" }],
  });
});

it("names the places when only the order of the rows differs", () => {
  expect(diff(dataset(ROWS), dataset([ROWS[1], ROWS[0], ROWS[2]]))).toMatchObject({
    unit: "row",
    total: 3,
    differing: 2,
    examples: [{ name: "row 0" }, { name: "row 1" }],
  });
  expect(diff(dataset(ROWS), dataset(ROWS))).toEqual({ unit: "row", total: 3, ...NOTHING });
});

it("compares lists by index", () => {
  const before = list(file("1", "a"), file("2", "b"), file("3", "c"));
  const after = list(file("1", "a"), file("2", "renamed"));
  expect(diff(before, after)).toEqual({
    unit: "file",
    total: 2,
    differing: 1,
    added: 0,
    removed: 1,
    examples: [
      { name: "item 1", change: "differs" },
      { name: "item 2", change: "removed" },
    ],
  });
  expect(diff(list(objects.putJson(1)), list(file("1", "a")))).toMatchObject({ unit: "item", differing: 1 });
});

it("says of single values what became of them", () => {
  const named = (before: Value, after: Value) => diff(before, after).examples[0]?.name;
  expect(named(objects.putJson({ lr: 0.1 }), objects.putJson({ lr: 0.2 }))).toBe('{"lr":0.1} became {"lr":0.2}');
  expect(named(file("1", "a.csv"), file("1", "b.csv"))).toBe("a.csv became b.csv");
  expect(named(file("1", "a.csv"), file("2", "a.csv"))).toBe("a.csv");
  expect(named({ kind: "absent" }, file("1", "a"))).toBe("absent became file");
  expect(diff(file("1", "a"), file("1", "a"))).toEqual({ unit: "file", total: 1, ...NOTHING });
});
