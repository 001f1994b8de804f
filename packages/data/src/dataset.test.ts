import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatasetValue, FileValue, Json, JsonValue } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import {
  columnFiles,
  columnItems,
  datasetChunks,
  datasetColumns,
  datasetFromColumns,
  datasetRows,
  pickColumns,
} from "./dataset.ts";
import { mergeDatasets } from "./merge-datasets.ts";
import { ObjectStore } from "./object-store.ts";

const root = mkdtempSync(join(tmpdir(), "wf-dataset-"));
const objects = new ObjectStore(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const file = (name: string): FileValue => objects.putBytes(Buffer.from(`content of ${name}`), name);
const json = (value: Json): JsonValue => objects.putJson(value);

function sample(rows: number): DatasetValue {
  const indices = [...Array(rows).keys()];
  return datasetFromColumns(
    objects,
    { image: indices.map((i) => file(`${i}.png`)), label: indices.map((i) => json(i % 2 === 0 ? "even" : { odd: i })) },
    { image: "file", label: "value" },
  );
}

it("gives each row as artifacts by column", () => {
  const value = sample(3);
  expect(value).toMatchObject({ kind: "dataset", rows: 3, files: 3, size: 3 * "content of 0.png".length });
  expect(datasetColumns(objects, value)).toEqual({ image: "file", label: "value" });
  expect(datasetRows(objects, value)).toEqual([
    { image: file("0.png"), label: json("even") },
    { image: file("1.png"), label: json({ odd: 1 }) },
    { image: file("2.png"), label: json("even") },
  ]);
});

it("gives a column as a list", () => {
  expect(columnFiles(objects, sample(2), "image")).toEqual([file("0.png"), file("1.png")]);
  expect(columnItems(objects, sample(2), "label")).toEqual([json("even"), json({ odd: 1 })]);
  expect(() => columnFiles(objects, sample(2), "label")).toThrow('Column "label" holds values');
  expect(() => columnItems(objects, sample(2), "toString")).toThrow('The dataset has no column "toString"');
});

it("picks columns, and the same column whatever else was there", () => {
  const picked = pickColumns(objects, sample(2), ["image"]);
  expect(picked).toEqual(datasetFromColumns(objects, { image: [file("0.png"), file("1.png")] }));
  expect(pickColumns(objects, sample(2), ["label", "image"])).toEqual(sample(2));
  expect(() => pickColumns(objects, sample(2), ["mask"])).toThrow('The dataset has no column "mask"');
});

it("cuts into chunks of a size, the last one smaller", () => {
  expect(datasetChunks(objects, sample(5), 2).map((chunk) => chunk.rows)).toEqual([2, 2, 1]);
  expect(datasetChunks(objects, sample(0), 2)).toEqual([]);
  for (const size of [0, -1, 1.5, Number.NaN]) {
    expect(() => datasetChunks(objects, sample(1), size)).toThrow(expect.objectContaining({ code: "WF_DECLARATION" }));
  }
});

it("merges the chunks of a dataset, of any size, to the dataset itself", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 35 }), (rows, size) => {
      const value = sample(rows);
      expect(mergeDatasets(objects, datasetChunks(objects, value, size))).toEqual(value);
    }),
    cases(40),
  );
});

it("keeps all rows in order when datasets share names", () => {
  const one = datasetFromColumns(objects, { image: [file("a.png"), file("b.png")] });
  const two = datasetFromColumns(objects, { image: [file("a.png")] });
  const merged = mergeDatasets(objects, [one, two]);
  expect(columnFiles(objects, merged, "image").map(({ name }) => name)).toEqual([
    "000000-a.png",
    "b.png",
    "000002-a.png",
  ]);
  expect(columnFiles(objects, merged, "image").map(({ hash }) => hash)).toEqual(
    [file("a.png"), file("b.png"), file("a.png")].map(({ hash }) => hash),
  );
});

it("merges nothing to an empty dataset of the columns that are known", () => {
  const empty = mergeDatasets(objects, [], { image: "file", label: "value" });
  expect(empty).toMatchObject({ rows: 0, files: 0 });
  expect(mergeDatasets(objects, [empty, sample(2), empty])).toEqual(sample(2));
  expect(mergeDatasets(objects, [mergeDatasets(objects, []), sample(2)])).toEqual(sample(2));
});

it("refuses to merge datasets with different columns, and names both", () => {
  const other = datasetFromColumns(objects, { image: [json("not a file")], label: [json(1)] });
  expect(() => mergeDatasets(objects, [sample(1), other])).toThrow(
    expect.objectContaining({
      code: "WF_DATASET_INVALID",
      where: "dataset 1 of 2",
      hint: "It has image (value), label (value); the first has image (file), label (value).",
    }),
  );
});

it("refuses columns of different lengths and of mixed kinds", () => {
  expect(() => datasetFromColumns(objects, { a: [json(1)], b: [json(1), json(2)] })).toThrow(
    expect.objectContaining({ code: "WF_ZIP_LENGTH", message: expect.stringContaining("a has 1, b has 2") }),
  );
  expect(() => datasetFromColumns(objects, { a: [json(1), file("x")] })).toThrow(
    expect.objectContaining({ code: "WF_DATASET_INVALID", where: "row 1" }),
  );
});
