import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DatasetManifest, FileRef } from "@wf/protocol";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { MemoryHashCache } from "./hash-cache.ts";
import { Importer } from "./importer.ts";
import { ObjectStore } from "./object-store.ts";

const top = mkdtempSync(join(tmpdir(), "wf-import-dataset-"));
const objects = new ObjectStore(join(top, "store"));
const importer = new Importer(objects, new MemoryHashCache());
afterAll(() => rmSync(top, { recursive: true, force: true }));

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(top, "data-"));
});

function write(files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(data, path)), { recursive: true });
    writeFileSync(join(data, path), text);
  }
}

const PAIRS = { image: "file", mask: "file" } as const;
const LABELLED = { image: "file", label: "value" } as const;

async function rowsOf(columns: { readonly [column: string]: "file" | "value" }): Promise<DatasetManifest["rows"]> {
  const value = await importer.importDataset(data, columns);
  return (objects.readManifest(value.hash) as DatasetManifest).rows;
}

async function refusal(columns: { readonly [column: string]: "file" | "value" }): Promise<string> {
  const error = (await importer.importDataset(data, columns).catch((caught: unknown) => caught)) as Error;
  expect(error).toMatchObject({ code: "WF_DATASET_INVALID", hint: expect.any(String), where: expect.any(String) });
  return error.message;
}

describe("sub-folders aligned by stem", () => {
  it("makes a row of each stem, in order", async () => {
    write({ "image/b.png": "1", "image/a 1.png": "22", "mask/a 1.tif": "333", "mask/b.tif": "4444", README: "-" });
    const value = await importer.importDataset(data, PAIRS);
    expect(value).toMatchObject({ kind: "dataset", rows: 2, files: 4, size: 10 });
    const rows = (objects.readManifest(value.hash) as DatasetManifest).rows;
    expect(rows.map((row) => [(row.image as FileRef).name, (row.mask as FileRef).name])).toEqual([
      ["a 1.png", "a 1.tif"],
      ["b.png", "b.tif"],
    ]);
  });

  it("takes only the columns that are wanted, and no hidden files", async () => {
    write({ "image/a.png": "1", "image/.DS_Store": "-", "mask/other.png": "-" });
    expect(await rowsOf({ image: "file" })).toMatchObject([{ image: { name: "a.png", size: 1 } }]);
  });

  it("names the file without partner", async () => {
    write({ "image/a.png": "1", "image/b.png": "1", "mask/a.png": "1" });
    expect(await refusal(PAIRS)).toBe('"image/b.png" has no partner in column "mask"');
    write({ "mask/b.png": "1", "mask/c.png": "1" });
    expect(await refusal(PAIRS)).toBe('"mask/c.png" has no partner in column "image"');
  });

  it("names the missing column and says what is there", async () => {
    write({ "image/a.png": "1", "masks/a.png": "1" });
    await expect(importer.importDataset(data, PAIRS)).rejects.toMatchObject({
      message: 'The column "mask" is missing',
      hint: expect.stringContaining('"image", "masks"'),
    });
  });

  it("names the stem that is there twice", async () => {
    write({ "image/a.png": "1", "image/a.jpg": "1", "mask/a.png": "1" });
    expect(await refusal(PAIRS)).toBe('The stem "a" is there twice in column "image": "a.jpg" and "a.png"');
  });

  it("refuses a column that is a file, a folder in a column, and values without rows.jsonl", async () => {
    write({ image: "1", "mask/a.png": "1" });
    expect(await refusal(PAIRS)).toBe('The column "image" is a file');
    rmSync(join(data, "image"));
    write({ "image/deep/a.png": "1" });
    expect(await refusal(PAIRS)).toBe('Column "image" has a folder in it, "deep"');
    expect(await refusal(LABELLED)).toMatch('Column "label" holds values, and there is no rows.jsonl');
  });

  it("refuses an empty folder and empty columns", async () => {
    expect(await refusal(PAIRS)).toBe('The column "image" is missing');
    mkdirSync(join(data, "image"));
    mkdirSync(join(data, "mask"));
    expect(await refusal(PAIRS)).toBe("The dataset has no files");
  });
});

describe("rows.jsonl", () => {
  it("names the rows in its own order, with values", async () => {
    write({
      "x/2.png": "two",
      "x/1.png": "one",
      "rows.jsonl": '{"image":"x/2.png","label":{"k":[1]},"unused":1}\n\n{"image":"x/1.png","label":null}\n',
    });
    expect(await rowsOf(LABELLED)).toMatchObject([
      { image: { name: "2.png" }, label: { k: [1] } },
      { image: { name: "1.png" }, label: null },
    ]);
  });

  it("gives files of one name from several folders names of their own", async () => {
    write({ "a/1.png": "1", "b/1.png": "2", "rows.jsonl": '{"image":"a/1.png"}\n{"image":"b/1.png"}' });
    expect(await rowsOf({ image: "file" })).toMatchObject([
      { image: { name: "000000-1.png" } },
      { image: { name: "000001-1.png" } },
    ]);
  });

  it("may name no rows at all", async () => {
    write({ "rows.jsonl": "" });
    expect(await importer.importDataset(data, PAIRS)).toMatchObject({ rows: 0, files: 0, size: 0 });
  });

  it.each([
    ["no JSON", '{"image":', "A row is not JSON"],
    ["no object", "[1]", "A row is not an object"],
    ["a missing column", '{"label":1}', 'A row has no column "image"'],
    ["another missing column", '{"image":"i"}', 'A row has no column "label"'],
    ["a file that is no text", '{"image":3,"label":1}', 'Column "image" holds files, but a row has 3'],
    ["a folder", '{"image":"sub","label":1}', 'Column "image" names a folder, "sub"'],
  ])("refuses %s and names the line", async (_, line, message) => {
    write({ "sub/x": "1", i: "1", "rows.jsonl": `{"image":"i","label":1}\n${line}\n` });
    await expect(importer.importDataset(data, LABELLED)).rejects.toMatchObject({
      code: "WF_DATASET_INVALID",
      message: expect.stringContaining(message),
      where: `${join(data, "rows.jsonl")}:2`,
    });
  });

  it("names the line whose file is not there", async () => {
    write({ "rows.jsonl": '{"image":"gone.png"}' });
    await expect(importer.importDataset(data, { image: "file" })).rejects.toMatchObject({
      code: "WF_INPUT_UNREADABLE",
      message: expect.stringContaining("gone.png"),
      where: `${join(data, "rows.jsonl")}:1`,
    });
  });

  it.each(["../outside", "/etc/hostname", "sub/../../outside", "link"])(
    "refuses %s, which leaves the folder",
    async (path) => {
      symlinkSync("/etc/hostname", join(data, "link"));
      write({ "rows.jsonl": JSON.stringify({ image: path }) });
      await expect(importer.importDataset(data, { image: "file" })).rejects.toMatchObject({ code: "WF_PATH_ESCAPE" });
    },
  );

  it("must be a file, and files are what it names", async () => {
    execFileSync("mkfifo", [join(data, "rows.jsonl")]);
    const notAFile = { code: "WF_INPUT_UNREADABLE", message: expect.stringContaining("not a regular file") };
    await expect(importer.importDataset(data, { image: "file" })).rejects.toMatchObject(notAFile);
    rmSync(join(data, "rows.jsonl"));
    execFileSync("mkfifo", [join(data, "pipe.png")]);
    write({ "rows.jsonl": '{"image":"pipe.png"}' });
    await expect(importer.importDataset(data, { image: "file" })).rejects.toMatchObject(notAFile);
  });

  it("must be UTF-8", async () => {
    writeFileSync(join(data, "rows.jsonl"), Buffer.from([0x22, 0xff, 0x22]));
    await expect(importer.importDataset(data, PAIRS)).rejects.toMatchObject({
      code: "WF_INPUT_UNREADABLE",
      message: expect.stringContaining("not valid UTF-8"),
    });
  });
});
