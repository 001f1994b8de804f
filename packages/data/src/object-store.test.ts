import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Json, MOST_NESTED } from "@wf/protocol";
import { afterAll, expect, it } from "vitest";
import { ObjectStore } from "./object-store.ts";

const root = mkdtempSync(join(tmpdir(), "wf-object-store-"));
const objects = new ObjectStore(root);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const unknown = "0".repeat(64);

it("publishes bytes read-only under their hash, and leaves nothing else behind", () => {
  expect(objects.putBytes(Buffer.from("abc"), "a b\n.txt")).toEqual({
    kind: "file",
    hash: ABC,
    size: 3,
    name: "a b\n.txt",
  });
  expect(objects.path(ABC)).toBe(join(root, "objects", "ba", ABC));
  expect(readFileSync(objects.path(ABC), "utf8")).toBe("abc");
  expect(statSync(objects.path(ABC)).mode & 0o777).toBe(0o444);
  expect(readdirSync(join(root, "tmp"))).toEqual([]);
});

it("leaves an object alone that is there already", () => {
  const { hash } = objects.putBytes(Buffer.from("once"), "x");
  const before = statSync(objects.path(hash), { bigint: true });
  objects.putBytes(Buffer.from("once"), "y");
  const after = statSync(objects.path(hash), { bigint: true });
  expect([after.ino, after.ctimeNs]).toEqual([before.ino, before.ctimeNs]);
});

it("publishes an object again that a power cut left short", () => {
  const { hash } = objects.putBytes(Buffer.from("whole"), "x");
  chmodSync(objects.path(hash), 0o644);
  writeFileSync(objects.path(hash), "");
  objects.putBytes(Buffer.from("whole"), "x");
  expect(readFileSync(objects.path(hash), "utf8")).toBe("whole");
});

it("knows what it has", () => {
  const { hash } = objects.putBytes(Buffer.from("here"), "x");
  expect(objects.has(hash)).toBe(true);
  expect(objects.has(unknown)).toBe(false);
});

it("refuses what is no hash, so that no path can be made of it", () => {
  expect(() => objects.path("../../etc/passwd")).toThrow("not a content hash");
});

it.each(["", "..", "a/b", "nul\0"])("refuses the file name %j", (name) => {
  expect(() => objects.putBytes(Buffer.from("x"), name)).toThrow(expect.objectContaining({ code: "WF_PATH_ESCAPE" }));
});

it("stores JSON as canonical text, and its value as that text means it", () => {
  const value = objects.putJson({ b: [1, -0], a: "ü", gone: undefined } as unknown as Json);
  expect(readFileSync(objects.path(value.hash), "utf8")).toBe('{"a":"ü","b":[1,0]}');
  expect(value).toMatchObject({ size: 20, value: { a: "ü", b: [1, 0] } });
  expect(new ObjectStore(root).readJson(value.hash)).toEqual({ a: "ü", b: [1, 0] });
});

it.each<[string, unknown, string]>([
  ["NaN", { loss: [1, Number.NaN] }, "value.loss[1] is NaN"],
  ["undefined in a list", [undefined], "value[0] is undefined"],
  ["a Date", { at: new Date(0) }, "value.at is a Date"],
  ["a function", () => 1, "value is a function"],
  ["nothing", undefined, "value is undefined"],
])("refuses %s as JSON and says where it is", (_, value, message) => {
  expect(() => objects.putJson(value as Json)).toThrow(message);
});

it("refuses a cycle, but not a value that is there twice", () => {
  const shared = { x: 1 };
  expect(objects.putJson([shared, shared]).value).toEqual([{ x: 1 }, { x: 1 }]);
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(() => objects.putJson(cycle as Json)).toThrow("value.self holds itself");
});

it("refuses what is nested without end, in JSON and in what lies in the place of a manifest", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  expect(objects.putJson(JSON.parse(nested(MOST_NESTED)) as Json).size).toBe(2 * MOST_NESTED);
  const { hash: manifest } = objects.putBytes(Buffer.from(`{"items":${nested(100_000)},"kind":"list"}`), "m");
  for (const levels of [MOST_NESTED + 1, 5_000, 100_000]) {
    expect(() => objects.putJson(JSON.parse(nested(levels)) as Json)).toThrow("is nested more than 256 deep");
  }
  expect(() => objects.readManifest(manifest)).toThrow(expect.objectContaining({ code: "WF_ARTIFACT_INVALID" }));
  expect(() => objects.readJson(manifest)).toThrow(expect.objectContaining({ code: "WF_ARTIFACT_INVALID" }));
});

it("gives a manifest back, from memory and from disk", () => {
  const manifest = { kind: "directory" as const, entries: [{ path: "a", hash: ABC, size: 3, executable: true }] };
  const hash = objects.writeManifest(manifest);
  expect(objects.readManifest(hash)).toEqual(manifest);
  expect(new ObjectStore(root).readManifest(hash)).toEqual(manifest);
});

it("says which object is gone, and what to do", () => {
  expect(() => objects.readManifest(unknown)).toThrow(
    expect.objectContaining({ code: "WF_ARTIFACT_MISSING", where: objects.path(unknown) }),
  );
  expect(() => objects.readJson(unknown)).toThrow(expect.objectContaining({ code: "WF_ARTIFACT_MISSING" }));
});

it("refuses an object that is not the manifest it should be", () => {
  const { hash } = objects.putJson({ kind: "folder" });
  expect(() => objects.readManifest(hash)).toThrow(expect.objectContaining({ code: "WF_ARTIFACT_INVALID" }));
});

it("finds an object whose content is not what its name says", async () => {
  const { hash } = objects.putBytes(Buffer.from("truth"), "x");
  expect(await objects.verify(hash)).toBe("intact");
  chmodSync(objects.path(hash), 0o644);
  writeFileSync(objects.path(hash), "lies!");
  expect(await objects.verify(hash)).toBe("damaged");
  expect(await objects.verify(unknown)).toBe("missing");
});

it("opens without writing anything", () => {
  const empty = join(root, "never-used");
  expect(new ObjectStore(empty).has(ABC)).toBe(false);
  expect(existsSync(empty)).toBe(false);
});
