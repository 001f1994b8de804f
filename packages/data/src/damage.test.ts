import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collectGarbage } from "./collect-garbage.ts";
import { MemoryHashCache } from "./hash-cache.ts";
import { Importer } from "./importer.ts";
import { materialise } from "./materialise.ts";
import { ObjectStore } from "./object-store.ts";
import { syncStorage } from "./sync-storage.ts";

let root: string;
let damaged: string[];
let objects: ObjectStore;
const open = () => new ObjectStore(join(root, "store"), { onDamaged: (hash) => damaged.push(hash) });
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wf-damage-"));
  damaged = [];
  objects = open();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function flip(path: string, at = 0): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] as number) ^ 1;
  chmodSync(path, 0o644);
  writeFileSync(path, bytes);
}

function cut(path: string): void {
  chmodSync(path, 0o644);
  truncateSync(path, 0);
}

describe("an object that is damaged", () => {
  it.each([
    ["a byte is flipped", flip],
    ["it is cut to nothing", cut],
  ])("(%s) leaves the store, and is named", (_how, damage) => {
    const { hash, size } = objects.putBytes(Buffer.from("truth"), "x");
    expect(objects.isIntact(hash, size)).toBe(true);
    damage(objects.path(hash));
    expect(objects.isIntact(hash, size)).toBe(false);
    expect(damaged).toEqual([hash]);
    expect(objects.has(hash)).toBe(false);
    expect(existsSync(join(root, "store", "quarantine", hash))).toBe(true);
    expect(objects.isIntact(hash, size)).toBe(false);
    expect(damaged).toEqual([hash]);
  });

  describe.each([
    ["a folder", (path: string) => mkdirSync(join(path, "full"), { recursive: true })],
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
    ["a link to the same content", (path: string) => symlinkSync(join(root, "mine"), path)],
  ])("(%s lies in its place)", (_what, put) => {
    const replace = (hash: string) => {
      writeFileSync(join(root, "mine"), "truth");
      rmSync(objects.path(hash), { recursive: true, force: true });
      put(objects.path(hash));
    };

    it("leaves the store whoever looks, and is made again", async () => {
      const { hash, size } = objects.putBytes(Buffer.from("truth"), "x");
      for (const look of [
        () => objects.isIntact(hash, size),
        () => objects.isIntact(hash, null),
        async () => (await objects.verify(hash)) === "intact",
        () => objects.looksIntact(hash, size) || objects.putBytes(Buffer.from("truth"), "x").hash !== hash,
      ]) {
        replace(hash);
        expect(await look()).toBe(false);
        expect(damaged.splice(0)).toEqual([hash]);
        objects.putBytes(Buffer.from("truth"), "x");
        expect(objects.looksIntact(hash, size)).toBe(true);
      }
      for (const read of [() => open().readManifest(hash), () => open().readJson(hash)]) {
        replace(hash);
        expect(read).toThrow(expect.objectContaining({ code: "WF_ARTIFACT_MISSING" }));
      }
      expect(readFileSync(join(root, "mine"), "utf8")).toBe("truth");
    });

    it("is no obstacle to who removes what nobody needs", async () => {
      const { hash } = objects.putBytes(Buffer.from("truth"), "x");
      replace(hash);
      const { kept } = await collectGarbage(objects.root, new Set([hash]), { dryRun: false, olderThanMs: -1 });
      expect(kept.objects).toBe(1);
      const { removed } = await collectGarbage(objects.root, new Set(), { dryRun: false, olderThanMs: -1 });
      expect(removed.objects).toBe(1);
      expect(readFileSync(join(root, "mine"), "utf8")).toBe("truth");
    });
  });

  it("is found wherever a byte is flipped, by all who read it", async () => {
    const property = fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.nat(), async (bytes, at) => {
      const value = objects.putBytes(bytes, "x");
      flip(objects.path(value.hash), at % bytes.length);
      await expect(materialise(value, join(root, "out"), open())).rejects.toMatchObject({
        code: "WF_ARTIFACT_MISSING",
      });
      objects.putBytes(bytes, "x");
      await materialise(value, join(root, "out"), open());
      expect(readFileSync(join(root, "out"))).toEqual(Buffer.from(bytes));
    });
    await fc.assert(property, cases(50));
  });

  it("is not read as a manifest or a value", () => {
    const hash = objects.writeManifest({ kind: "directory", entries: [] });
    const { hash: json } = objects.putJson({ a: 1 });
    writeOver(objects.path(hash), '{"entries":[],"kind":"directorx"}');
    writeOver(objects.path(json), '{"a":2}');
    expect(() => open().readManifest(hash)).toThrow(expect.objectContaining({ code: "WF_ARTIFACT_MISSING" }));
    expect(() => open().readJson(json)).toThrow(expect.objectContaining({ code: "WF_ARTIFACT_MISSING" }));
    expect(damaged).toEqual([hash, json]);
  });

  it.each([
    { age: "just written", size: 5, writtenAt: new Date() },
    { age: "just written", size: 2 << 20, writtenAt: new Date() },
    { age: "old", size: 5, writtenAt: new Date(0) },
  ])("is named and replaced by an input of $size bytes, $age, that is read again", async ({ size, writtenAt }) => {
    const content = "x".repeat(size);
    writeFileSync(join(root, "input"), content);
    utimesSync(join(root, "input"), writtenAt, writtenAt);
    const importer = new Importer(objects, new MemoryHashCache());
    const { hash } = await importer.importFile(join(root, "input"));
    flip(objects.path(hash));
    await importer.importFile(join(root, "input"));
    expect(readFileSync(objects.path(hash), "utf8") === content).toBe(true);
    expect(damaged).toEqual([hash]);
    expect(existsSync(join(root, "store", "quarantine", hash))).toBe(true);
  });

  it("is named and replaced by equal content that is put there", () => {
    const { hash } = objects.putBytes(Buffer.from("truth"), "x");
    flip(objects.path(hash));
    objects.putBytes(Buffer.from("truth"), "x");
    expect(readFileSync(objects.path(hash), "utf8")).toBe("truth");
    expect(damaged).toEqual([hash]);
  });
});

describe("a seal", () => {
  it("spares reading what was hashed when it was written, and only that", () => {
    const { hash, size } = objects.putBytes(Buffer.from("truth"), "x");
    const { atimeMs, mtimeMs } = statSync(objects.path(hash));
    flip(objects.path(hash));
    utimesSync(objects.path(hash), atimeMs / 1000, mtimeMs / 1000);
    expect(objects.isIntact(hash, size)).toBe(true);
    utimesSync(objects.path(hash), atimeMs / 1000, mtimeMs / 1000 + 2);
    expect(objects.isIntact(hash, size)).toBe(false);
  });

  it("is set on what was read and found to be whole", () => {
    const { hash, size } = objects.putBytes(Buffer.from("truth"), "x");
    const { mtimeMs } = statSync(objects.path(hash));
    utimesSync(objects.path(hash), 0, 0);
    expect(objects.isIntact(hash, size)).toBe(true);
    expect(statSync(objects.path(hash)).mtimeMs).toBe(mtimeMs);
  });

  it("covers what a sync has covered", async () => {
    await syncStorage(join(root, "store"), [root]);
    const [name] = readNames(join(root, "store", "synced"));
    expect(name).toMatch(/^[0-9a-f]+$/);
  });
});

function readNames(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith("."));
}

function writeOver(path: string, text: string): void {
  chmodSync(path, 0o644);
  writeFileSync(path, text);
}
