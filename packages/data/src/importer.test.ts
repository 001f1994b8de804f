import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { DirectoryManifest } from "@wf/protocol";
import { afterAll, beforeEach, expect, it } from "vitest";
import { type HashCache, MemoryHashCache } from "./hash-cache.ts";
import { Importer } from "./importer.ts";
import { ObjectStore } from "./object-store.ts";

const top = mkdtempSync(join(tmpdir(), "wf-importer-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let folder: string;
let objects: ObjectStore;
let hashes: MemoryHashCache;
let importer: Importer;

beforeEach(() => {
  folder = mkdtempSync(join(top, "case-"));
  objects = new ObjectStore(join(folder, "store"));
  hashes = new MemoryHashCache();
  importer = new Importer(objects, hashes);
});

/** Writes files below `folder/data`, old enough for their hashes to be remembered. */
function write(files: { readonly [path: string]: string }): string {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, "data", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, 1000, 1000);
  }
  return join(folder, "data");
}

function entries(hash: string): DirectoryManifest["entries"] {
  return (objects.readManifest(hash) as DirectoryManifest).entries;
}

const failing = (code: string, message: string | RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

it("copies a file into the store, which then no longer depends on it", async () => {
  const path = join(write({ "a b's.txt": "hello" }), "a b's.txt");
  const value = await importer.importFile(path);
  expect(value).toMatchObject({ kind: "file", size: 5, name: "a b's.txt" });
  writeFileSync(path, "HELLO");
  expect(readFileSync(objects.path(value.hash), "utf8")).toBe("hello");
  expect(await objects.verify(value.hash)).toBe("intact");
});

it("takes a file that is larger than what is held in memory", async () => {
  const data = write({ big: "" });
  writeFileSync(join(data, "big"), Buffer.alloc(3_000_001, 7));
  const value = await importer.importFile(join(data, "big"));
  expect(value.size).toBe(3_000_001);
  expect(await objects.verify(value.hash)).toBe("intact");
  expect(statSync(objects.path(value.hash)).mode & 0o777).toBe(0o444);
});

it("takes a directory with names of every kind, sorted by path", async () => {
  const names = ["é/ü.txt", "a\nb", 'quo"te', "sp ace/x", "Z", "日本", "a/b", "a.b"];
  const data = write(Object.fromEntries(names.map((name) => [name, name])));
  chmodSync(join(data, "Z"), 0o755);
  const value = await importer.importDirectory(data);
  expect(value).toMatchObject({ kind: "directory", files: 8 });
  expect(entries(value.hash).map((entry) => entry.path)).toEqual([...names].sort());
  expect(entries(value.hash).filter((entry) => "executable" in entry)).toMatchObject([{ path: "Z", executable: true }]);
});

it("gives the same value wherever the folder lies, and another one when a byte or a name differs", async () => {
  const data = write({ "a/1": "x", "a/2": "y" });
  const value = await importer.importDirectory(data);
  renameSync(data, join(folder, "elsewhere"));
  expect(await importer.importDirectory(join(folder, "elsewhere"))).toEqual(value);
  expect((await importer.importDirectory(write({ "a/1": "x", "a/2": "z" }))).hash).not.toBe(value.hash);
});

it("takes folders that hold nothing with the others, as the launcher does", async () => {
  mkdirSync(join(folder, "empty"));
  const nothing = await importer.importDirectory(join(folder, "empty"));
  expect(nothing).toMatchObject({ files: 0, size: 0 });
  expect(objects.readManifest(nothing.hash)).toEqual({ kind: "directory", entries: [] });
  const data = write({ "v/f": "1" });
  for (const path of ["s/t", "u"]) mkdirSync(join(data, path), { recursive: true });
  const value = await importer.importDirectory(data);
  expect(value).toMatchObject({ files: 1, size: 1 });
  expect(objects.readManifest(value.hash)).toMatchObject({ folders: ["s/t", "u"] });
  expect(objects.readManifest((await importer.importTree(data)).hash)).not.toHaveProperty("folders");
});

it("follows links that stay inside, to files and to folders", async () => {
  const data = write({ "real/x": "1" });
  symlinkSync("real/x", join(data, "file-link"));
  symlinkSync("real", join(data, "folder-link"));
  const value = await importer.importDirectory(data);
  expect(entries(value.hash).map(({ path }) => path)).toEqual(["file-link", "folder-link/x", "real/x"]);
  expect(new Set(entries(value.hash).map(({ hash }) => hash)).size).toBe(1);
});

it("refuses links that lead out, in a circle or nowhere", async () => {
  const data = write({ x: "1" });
  symlinkSync("/etc/hostname", join(data, "out"));
  await expect(importer.importDirectory(data)).rejects.toThrow(failing("WF_PATH_ESCAPE", "leads out of the input"));
  rmSync(join(data, "out"));
  symlinkSync("..", join(data, "loop"));
  await expect(importer.importDirectory(data)).rejects.toThrow(failing("WF_PATH_ESCAPE", "leads out"));
  rmSync(join(data, "loop"));
  symlinkSync(".", join(data, "loop"));
  await expect(importer.importDirectory(data)).rejects.toThrow(failing("WF_INPUT_UNREADABLE", "run in a circle"));
  rmSync(join(data, "loop"));
  symlinkSync("gone", join(data, "dangling"));
  await expect(importer.importDirectory(data)).rejects.toThrow(failing("WF_INPUT_UNREADABLE", "does not exist"));
});

it("does not mistake a neighbour with a longer name for the inside", async () => {
  const data = write({ x: "1" });
  mkdirSync(`${data}-secret`);
  writeFileSync(`${data}-secret/y`, "2");
  symlinkSync(`../${basename(data)}-secret/y`, join(data, "link"));
  await expect(importer.importDirectory(data)).rejects.toThrow(failing("WF_PATH_ESCAPE", "leads out"));
});

it("never takes the store itself as a part of an input", async () => {
  write({ x: "1" });
  await importer.importDirectory(join(folder, "data"));
  const value = await importer.importDirectory(folder);
  expect(entries(value.hash).map(({ path }) => path)).toEqual(["data/x"]);
});

it("says why an input cannot be read and what to type", async () => {
  const data = write({ x: "1" });
  await expect(importer.importFile(join(data, "it's gone"))).rejects.toThrow(
    expect.objectContaining({
      code: "WF_INPUT_UNREADABLE",
      where: join(data, "it's gone"),
      hint: `Check the path: ls -l ${data}`,
    }),
  );
  await expect(importer.importFile(data)).rejects.toThrow(failing("WF_INPUT_UNREADABLE", "a file is wanted"));
  await expect(importer.importDirectory(join(data, "x"))).rejects.toThrow(
    failing("WF_INPUT_UNREADABLE", "a folder is wanted"),
  );
});

it("refuses a pipe without waiting for somebody to write into it", async () => {
  const data = write({ x: "1" });
  execFileSync("mkfifo", [join(data, "pipe")]);
  await expect(importer.importDirectory(data)).rejects.toThrow(failing("WF_INPUT_UNREADABLE", "not a regular file"));
});

it("names the file that may not be read", ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("only root can become somebody who may not read");
  const data = write({ secret: "1" });
  chmodSync(join(data, "secret"), 0o600);
  chmodSync(top, 0o755);
  chmodSync(folder, 0o777);
  const script = `
    import { Importer, MemoryHashCache, ObjectStore } from "@wf/data";
    process.setegid(65534); process.seteuid(65534);
    const importer = new Importer(new ObjectStore(process.argv[1]), new MemoryHashCache());
    await importer.importDirectory(process.argv[2]).catch((error) => console.log(JSON.stringify(error)));
  `;
  const words = ["--input-type=module", "-e", script, join(folder, "store"), data];
  const output = execFileSync(process.execPath, words, { cwd: import.meta.dirname, encoding: "utf8" });
  expect(JSON.parse(output)).toMatchObject({
    code: "WF_INPUT_UNREADABLE",
    message: `Cannot read "${join(data, "secret")}": you have no permission`,
    hint: expect.stringContaining(`chmod u+rX ${join(data, "secret")}`),
  });
});

it("refuses names that are not valid UTF-8", async () => {
  const data = write({ x: "1" });
  writeFileSync(Buffer.concat([Buffer.from(`${data}/caf`), Buffer.from([0xe9])]), "2");
  await expect(importer.importDirectory(data)).rejects.toThrow(
    failing("WF_INPUT_UNREADABLE", '"café".*not valid UTF-8'),
  );
});

it("reads a file again only when its stamp says that it changed", async () => {
  const path = join(write({ x: "one" }), "x");
  const first = await importer.importFile(path);
  const asked: string[] = [];
  const lying: HashCache = {
    get: (stamp) => {
      asked.push(stamp.path);
      return hashes.get(stamp) && objects.putBytes(Buffer.from("lie"), "x").hash;
    },
    put: (found) => hashes.put(found),
  };
  const second = await new Importer(objects, lying).importFile(path);
  expect(second.hash).not.toBe(first.hash);
  expect(asked).toEqual([path]);
  writeFileSync(path, "two");
  const third = await new Importer(objects, lying).importFile(path);
  expect(readFileSync(objects.path(third.hash), "utf8")).toBe("two");
});

it("does not trust a known hash whose object is gone", async () => {
  const path = join(write({ x: "one" }), "x");
  const { hash } = await importer.importFile(path);
  rmSync(objects.path(hash), { force: true });
  await importer.importFile(path);
  expect(objects.has(hash)).toBe(true);
});

it("does not remember the hash of a file that was written a moment ago", async () => {
  const path = join(write({ x: "" }), "x");
  writeFileSync(path, "young");
  const put: string[] = [];
  const cache: HashCache = { get: () => undefined, put: (found) => put.push(...found.map(({ stamp }) => stamp.path)) };
  await new Importer(objects, cache).importFile(path);
  expect(put).toEqual([]);
  utimesSync(path, 1000, 1000);
  await new Importer(objects, cache).importFile(path);
  expect(put).toEqual([path]);
});

it("makes an object executable once one of its files is", async () => {
  const data = write({ plain: "#!/bin/sh\n", tool: "#!/bin/sh\n" });
  const { hash } = await importer.importFile(join(data, "plain"));
  expect(statSync(objects.path(hash)).mode & 0o777).toBe(0o444);
  chmodSync(join(data, "tool"), 0o700);
  await importer.importFile(join(data, "tool"));
  expect(statSync(objects.path(hash)).mode & 0o777).toBe(0o555);
});

it("leaves out of a code folder what no result may depend on", async () => {
  const data = write({
    "main.py": "1",
    "pkg/mod.py": "2",
    "pkg/__pycache__/mod.cpython-311.pyc": "x",
    "pkg/old.pyc": "x",
    ".git/HEAD": "x",
    "node_modules/a/index.js": "x",
    ".wf/store.sqlite": "x",
    ".hidden": "3",
    "notes/draft.md": "x",
    "notes/keep.txt": "4",
    "data/raw.bin": "x",
  });
  symlinkSync("/usr", join(data, ".venv"));
  const value = await importer.importTree(data, { ignore: ["*.md", "data/"] });
  expect(entries(value.hash).map(({ path }) => path)).toEqual([".hidden", "main.py", "notes/keep.txt", "pkg/mod.py"]);
});

it("takes a file with holes without filling them, and folders down to where paths end", async () => {
  const path = join(folder, "sparse");
  writeFileSync(path, "begin");
  truncateSync(path, 64 * 2 ** 20);
  const { hash } = await importer.importFile(path);
  expect(await objects.verify(hash)).toBe("intact");
  expect(statSync(objects.path(hash)).blocks).toBeLessThanOrEqual(Math.max(4096, statSync(path).blocks));

  const deep = join(folder, "deep");
  mkdirSync(join(deep, "d/".repeat(300)), { recursive: true });
  await expect(importer.importDirectory(deep)).rejects.toMatchObject({
    code: "WF_INPUT_UNREADABLE",
    message: expect.stringContaining("more than 256 deep"),
  });
});
