import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { directoryValue } from "./composite-value.ts";
import { directoryFiles } from "./directory-files.ts";
import { ObjectStore } from "./object-store.ts";

const root = mkdtempSync(join(tmpdir(), "wf-directory-files-"));
const objects = new ObjectStore(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const paths = ["b/2.png", "a/1.png", "a/1.txt", "top.png", "a/deep/3.png", ".hidden.png"];
const hashOf = (path: string) => objects.putBytes(Buffer.from(path), "x").hash;
const value = directoryValue(
  objects,
  paths.map((path) => ({ path, hash: hashOf(path), size: path.length, executable: false })),
);

it("gives all files in the order of their paths, under their last names", () => {
  expect(directoryFiles(objects, value)).toEqual(
    [...paths].sort().map((path) => ({
      kind: "file",
      hash: hashOf(path),
      size: path.length,
      name: path.split("/").at(-1),
    })),
  );
});

it.each([
  ["*.png", ["top.png"]],
  ["**/*.png", ["1.png", "3.png", "2.png", "top.png"]],
  ["a/*.{png,txt}", ["1.png", "1.txt"]],
  ["nothing/*", []],
])("gives the files that %s names", (glob, names) => {
  expect(directoryFiles(objects, value, glob).map(({ name }) => name)).toEqual(names);
});

it("finds names with a newline", () => {
  const strange = ["a\nb/c\nd.png", "\n.png"];
  const folder = directoryValue(
    objects,
    strange.map((path) => ({ path, hash: hashOf(path), size: path.length, executable: false })),
  );
  for (const glob of ["**", "**/*.png"]) expect(directoryFiles(objects, folder, glob)).toHaveLength(2);
});

it("refuses a path that would leave the directory", () => {
  const leading = [{ path: "a/../../x", hash: hashOf("x"), size: 1, executable: false }];
  expect(() => directoryValue(objects, leading)).toThrow(expect.objectContaining({ code: "WF_PATH_ESCAPE" }));
});
