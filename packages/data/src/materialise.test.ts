import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FileValue } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterAll, beforeEach, expect, it } from "vitest";
import { datasetFromColumns } from "./dataset.ts";
import { MemoryHashCache } from "./hash-cache.ts";
import { Importer } from "./importer.ts";
import { materialise } from "./materialise.ts";
import { ObjectStore } from "./object-store.ts";

const top = mkdtempSync(join(tmpdir(), "wf-materialise-"));
const objects = new ObjectStore(join(top, "store"));
const importer = new Importer(objects, new MemoryHashCache());
afterAll(() => rmSync(top, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(top, "case-"));
});

const file = (text: string, name: string): FileValue => objects.putBytes(Buffer.from(text), name);

/** Every file below a folder: what it holds, and whether it is executable. */
function treeOf(root: string): { [path: string]: string } {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const executable = (lstatSync(path).mode & 0o100) !== 0;
      return [path.slice(root.length + 1), `${executable ? "x" : "-"} ${readFileSync(path, "utf8")}`];
    }),
  );
}

it("gives a file that is the person's own: writable, and no way into the store", async () => {
  const value = file("result", "r.txt");
  const target = join(folder, "deep/er/r.txt");
  await materialise(value, target, objects);
  expect(lstatSync(target).isFile()).toBe(true);
  expect(statSync(target).mode & 0o600).toBe(0o600);
  writeFileSync(target, "edited");
  expect(await objects.verify(value.hash)).toBe("intact");
});

it("replaces what was there, whatever it was, and leaves nothing else behind", async () => {
  const target = join(folder, "out");
  const directory = await importer.importDirectory(makeTree({ "a/b": "1" }));
  const values = [file("1", "x"), directory, file("2", "x"), directory, directory];
  for (const value of values) await materialise(value, target, objects);
  expect(treeOf(target)).toEqual({ "a/b": "- 1" });
  rmSync(target, { recursive: true });
  symlinkSync(makeTree({ mine: "kept" }), target);
  await materialise(directory, target, objects);
  expect(treeOf(target)).toEqual({ "a/b": "- 1" });
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

function makeTree(files: { readonly [path: string]: string }, executable: readonly string[] = []): string {
  const root = mkdtempSync(join(folder, "tree-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    if (executable.includes(path)) chmodSync(join(root, path), 0o755);
  }
  return root;
}

it("gives back the tree that was imported", async () => {
  const name = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
    .filter((text) => !/[/\0]/.test(text) && text !== "." && text !== "..");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
  const files = fc.dictionary(path, fc.tuple(fc.string(), fc.boolean()), { maxKeys: 8 }).filter((tree) => {
    const paths = Object.keys(tree);
    return !paths.some((one) => paths.some((other) => other.startsWith(`${one}/`)));
  });
  await fc.assert(
    fc.asyncProperty(files, async (tree) => {
      const texts = Object.fromEntries(Object.entries(tree).map(([at, [text]]) => [at, text]));
      const source = makeTree(
        texts,
        Object.keys(tree).filter((at) => tree[at]?.[1] === true),
      );
      const target = join(folder, "given-back");
      const value = await importer.importDirectory(source);
      await materialise(value, target, objects);
      expect(treeOf(target)).toEqual(treeOf(source));
      expect(await importer.importDirectory(target)).toEqual(value);
    }),
    cases(25),
  );
});

it("gives back folders that hold nothing", async () => {
  const source = makeTree({ "a/f": "1" });
  for (const path of ["a/b/c", "d"]) mkdirSync(join(source, path), { recursive: true });
  const value = await importer.importDirectory(source);
  const target = join(folder, "with-empty-folders");
  await materialise(value, target, objects);
  expect(readdirSync(target, { recursive: true }).sort()).toEqual(["a", "a/b", "a/b/c", "a/f", "d"]);
  expect(await importer.importDirectory(target)).toEqual(value);
});

it("lays a dataset out so that importing it gives it back", async () => {
  const value = datasetFromColumns(objects, {
    image: [file("1", "a b.png"), file("2", 'q"\n.png')],
    mask: [file("3", "other.tif"), file("4", "names.tif")],
    label: [objects.putJson("x"), objects.putJson({ y: null })],
  });
  const target = join(folder, "dataset");
  await materialise(value, target, objects);
  expect(readFileSync(join(target, "rows.jsonl"), "utf8")).toBe(
    '{"image":"image/a b.png","label":"x","mask":"mask/other.tif"}\n' +
      '{"image":"image/q\\"\\n.png","label":{"y":null},"mask":"mask/names.tif"}\n',
  );
  expect(await importer.importDataset(target, { image: "file", mask: "file", label: "value" })).toEqual(value);
});

it("lays out an empty dataset with its columns", async () => {
  const value = datasetFromColumns(objects, { image: [] }, { image: "file" });
  await materialise(value, join(folder, "empty"), objects);
  expect(readdirSync(join(folder, "empty")).sort()).toEqual(["image", "rows.jsonl"]);
});

it("numbers the items of a list", async () => {
  const directory = await importer.importDirectory(makeTree({ "a/b": "1" }));
  const items = [
    file("item 0", "x.txt"),
    objects.putJson([1]),
    { kind: "absent" } as const,
    directory,
    { kind: "list", items: [file("item 4", "y")] } as const,
  ];
  await materialise({ kind: "list", items }, join(folder, "list"), objects);
  expect(treeOf(join(folder, "list"))).toEqual({
    "000000/x.txt": "- item 0",
    "000001.json": "- [1]",
    "000003/a/b": "- 1",
    "000004/000000/y": "- item 4",
  });
});

it("puts nothing anywhere for an absent value", async () => {
  writeFileSync(join(folder, "earlier"), "kept");
  await materialise({ kind: "absent" }, join(folder, "earlier"), objects);
  expect(readFileSync(join(folder, "earlier"), "utf8")).toBe("kept");
});

it("keeps the earlier result when an object is gone, and says which", async () => {
  const target = join(folder, "out");
  const directory = await importer.importDirectory(makeTree({ a: "soon gone", b: "2" }));
  await materialise(file("earlier", "x"), target, objects);
  const gone = file("soon gone", "x").hash;
  rmSync(objects.path(gone));
  await expect(materialise(directory, target, objects)).rejects.toMatchObject({
    code: "WF_ARTIFACT_MISSING",
    where: objects.path(gone),
  });
  expect(readFileSync(target, "utf8")).toBe("earlier");
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

it("does not take the place of a folder that holds the store, nor of /", async () => {
  for (const target of [top, objects.root, "/"]) {
    await expect(materialise(file("x", "x"), target, objects)).rejects.toMatchObject({ code: "WF_USAGE" });
  }
});

it("refuses a manifest whose paths lead out", async () => {
  const { hash, size } = file("x", "x");
  const ofFile = { entries: [{ path: "../../evil", hash, size }] };
  const ofFolder = { entries: [], folders: ["../../evil"] };
  for (const content of [ofFile, ofFolder]) {
    const escaping = objects.writeManifest({ kind: "directory", ...content });
    const value = { kind: "directory", hash: escaping, size, files: 1 } as const;
    await expect(materialise(value, join(folder, "out"), objects)).rejects.toMatchObject({ code: "WF_PATH_ESCAPE" });
  }
  expect(readdirSync(folder)).toEqual([]);
});
