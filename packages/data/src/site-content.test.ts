import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localTransport } from "@wf/transport";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MemoryHashCache } from "./hash-cache.ts";
import { Importer } from "./importer.ts";
import { ObjectStore } from "./object-store.ts";
import { type Movement, SiteContent } from "./site-content.ts";
import { valueObjects } from "./value-objects.ts";

const { signal } = new AbortController();
const transport = localTransport();
type Hashed = { readonly hash: string };
let root: string;
let objects: ObjectStore;
let moved: Movement[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wf site content "));
  objects = new ObjectStore(join(root, "here"));
  moved = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const contentFor = (here: ObjectStore) =>
  new SiteContent({ objects: here, transport, storage: join(root, "there"), onMoved: (one) => moved.push(one) });

async function folderOf(files: Readonly<Record<string, string>>) {
  const folder = join(root, "given");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o755 });
  return await new Importer(objects, new MemoryHashCache()).importDirectory(folder);
}

test("sends a directory with its manifest once, and brings it back to a store that has nothing", async () => {
  const value = await folderOf({ "a.txt": "alpha", "b c.txt": "beta" });
  const content = contentFor(objects);
  expect(await content.send([value, value], signal)).toMatchObject({ moved: 3, kept: 0 });
  expect(await content.send([value], signal)).toEqual({ moved: 0, movedBytes: 0, kept: 0 });

  const elsewhere = new ObjectStore(join(root, "elsewhere"));
  await contentFor(elsewhere).fetch([value], signal);
  const hashes = [...valueObjects(elsewhere, value)].map(({ hash }) => hash);
  expect(hashes).toHaveLength(3);
  for (const hash of hashes) {
    expect(await elsewhere.verify(hash)).toBe("intact");
    expect(readFileSync(elsewhere.path(hash))).toEqual(readFileSync(objects.path(hash)));
  }
  expect(moved.map(({ direction, files }) => [direction, files])).toEqual([
    ["there", 3],
    ["here", 1],
    ["here", 2],
  ]);
});

test("a listing tells what lies there, and it is not sent again", async () => {
  const value = await folderOf({ "a.txt": "alpha" });
  await contentFor(objects).send([value], signal);
  const later = contentFor(objects);
  expect(later.has(value.hash, null)).toBe(false);
  await later.look(signal);
  for (const { hash, sizeBytes } of valueObjects(objects, value)) {
    expect(later.has(hash, sizeBytes)).toBe(true);
    expect(later.has(hash, 99)).toBe(false);
  }
  expect(await later.send([value], signal)).toEqual({ moved: 0, movedBytes: 0, kept: 0 });
});

test("brings manifests alone where that is all that is needed", async () => {
  const value = await folderOf({ "a.txt": "alpha" });
  await contentFor(objects).send([value], signal);
  const elsewhere = new ObjectStore(join(root, "elsewhere"));
  await contentFor(elsewhere).fetchManifests([{ kind: "list", items: [value] }], signal);
  const kept = [...valueObjects(elsewhere, value)].map(({ hash }) => elsewhere.has(hash));
  expect(kept).toEqual([true, false]);
});

test("what was made there is known to be there", async () => {
  const value = await folderOf({ "a.txt": "alpha" });
  const content = contentFor(objects);
  content.noteMade([value]);
  expect(await content.send([value], signal)).toEqual({ moved: 0, movedBytes: 0, kept: 0 });
});

test("a program stays executable", async () => {
  const value = await folderOf({ "run.sh": "#!/bin/sh\n" });
  await contentFor(objects).send([value], signal);
  const elsewhere = new ObjectStore(join(root, "elsewhere"));
  await contentFor(elsewhere).fetch([value], signal);
  const [, program] = [...valueObjects(elsewhere, value)].map(({ hash }) => elsewhere.path(hash));
  expect(statSync(program as string).mode & 0o777).toBe(0o555);
});

test("says which object is gone when it cannot be sent", async () => {
  const value = objects.putBytes(Buffer.from("gone"), "gone.txt");
  rmSync(objects.path(value.hash), { force: true });
  await expect(contentFor(objects).send([value], signal)).rejects.toMatchObject({ code: "WF_ARTIFACT_MISSING" });
});

test.each([
  ["that is no JSON", "just a file"],
  ["of another kind", '{"columns":{},"kind":"dataset","rows":[]}'],
  ["that leads to the home", '{"entries":[{"hash":"../home/.ssh/id_rsa","path":"x","size":1}],"kind":"directory"}'],
  [
    "that leads out of a folder",
    `{"entries":[{"hash":"${"0".repeat(64)}","path":"../x","size":1}],"kind":"directory"}`,
  ],
])("a directory with a manifest %s is refused, as that of one artifact", async (_, text) => {
  const there = new ObjectStore(join(root, "there"));
  const { hash } = there.putBytes(Buffer.from(text), "manifest");
  const value = { kind: "directory", hash, size: 1, files: 1 } as const;
  await expect(contentFor(objects).fetchManifests([{ kind: "list", items: [value] }], signal)).rejects.toMatchObject({
    code: "WF_ARTIFACT_INVALID",
  });
});

test("content that is damaged there is not brought here, and leaves the store there", async () => {
  const value = await folderOf({ "a.txt": "alpha", "b.txt": "beta" });
  await contentFor(objects).send([value], signal);
  const [, { hash: sound }, { hash: damaged }] = [...valueObjects(objects, value)] as [unknown, Hashed, Hashed];
  const there = join(root, "there", "objects", damaged.slice(0, 2), damaged);
  chmodSync(there, 0o644);
  writeFileSync(there, "Beta");

  const content = contentFor(new ObjectStore(join(root, "elsewhere")));
  await content.look(signal);
  await expect(content.fetch([value], signal)).rejects.toMatchObject({ code: "WF_SITE_CHECKSUM" });
  expect(content.has(damaged, null)).toBe(false);
  expect(content.has(sound, null)).toBe(true);
  expect(readFileSync(join(root, "there", "quarantine", damaged), "utf8")).toBe("Beta");
  await contentFor(objects).send([value], signal);
  expect(readFileSync(there, "utf8")).toBe("beta");
});
