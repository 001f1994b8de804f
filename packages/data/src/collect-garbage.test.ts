import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Value } from "@wf/protocol";
import { afterAll, beforeEach, expect, it } from "vitest";
import { collectGarbage } from "./collect-garbage.ts";
import { directoryValue } from "./composite-value.ts";
import { datasetFromColumns } from "./dataset.ts";
import { ObjectStore } from "./object-store.ts";
import { valueObjects } from "./value-objects.ts";

const top = mkdtempSync(join(tmpdir(), "wf-garbage-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let objects: ObjectStore;
beforeEach(() => {
  objects = new ObjectStore(mkdtempSync(join(top, "store-")));
});

const file = (text: string, name = "x") => objects.putBytes(Buffer.from(text), name);
const AT_ONCE = { dryRun: false, olderThanMs: 0 };

function there(): readonly string[] {
  return readdirSync(join(objects.root, "objects"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.includes("/"))
    .map((path) => path.slice(3))
    .sort();
}

/** Objects are younger than the collection by the file system's clock, unless a tick of it passes. */
async function collect(keep: readonly string[], options = AT_ONCE) {
  await sleep(20);
  return collectGarbage(objects.root, new Set(keep), options);
}

it("removes what nothing leads to, and follows directories, datasets and lists", async () => {
  const directory = directoryValue(objects, [{ path: "a", ...file("in directory"), executable: false }]);
  const dataset = datasetFromColumns(objects, {
    image: [file("in dataset")],
    label: [objects.putJson("stored apart")],
  });
  const list = objects.writeManifest({ kind: "list", items: [directory, { kind: "list", items: [dataset] }] });
  const plain = file("plain");
  file("garbage!");
  const report = await collect([list, plain.hash]);
  const hashesOf = (value: Value) => [...valueObjects(objects, value)].map(({ hash }) => hash);
  const needed = [list, plain.hash, ...hashesOf(directory), ...hashesOf(dataset)];
  expect(there()).toEqual([...new Set(needed)].sort());
  expect(report).toMatchObject({
    kept: { objects: 6 },
    removed: { objects: 2, bytes: "garbage!".length + '"stored apart"'.length },
    young: { objects: 0 },
    leftovers: 0,
  });
});

it("removes nothing in a dry run, and counts the same", async () => {
  file("one");
  file("three");
  const dry = await collect([], { dryRun: true, olderThanMs: 0 });
  expect(there()).toHaveLength(2);
  expect(await collect([])).toEqual(dry);
  expect(there()).toHaveLength(0);
});

it("leaves young objects alone, needed or not", async () => {
  const { hash } = file("just published");
  const needed = file("and needed");
  const report = await collect([needed.hash], { dryRun: false, olderThanMs: 60_000 });
  const kept = { objects: 1, bytes: 10 };
  expect(report).toMatchObject({ kept, removed: { objects: 0 }, young: { objects: 1, bytes: 14 } });
  expect([objects.has(hash), objects.has(needed.hash)]).toEqual([true, true]);
});

it("goes by when an object was published, not by the time that a task gave its file", async () => {
  const long = new Date("2001-01-01");
  const { hash } = file("of an old archive");
  utimesSync(objects.path(hash), long, long);
  const unfinished = join(objects.root, "tmp", "half");
  mkdirSync(dirname(unfinished), { recursive: true });
  writeFileSync(unfinished, "half of it");
  utimesSync(unfinished, long, long);
  const report = await collect([], { dryRun: false, olderThanMs: 60_000 });
  expect(report).toMatchObject({ removed: { objects: 0, bytes: 0 }, young: { objects: 1 }, leftovers: 0 });
  expect(objects.has(hash)).toBe(true);
});

it("keeps a user's file that only looks like a manifest, and passes over what is gone", async () => {
  const odd = file('{"entries":"of a diary"}');
  const half = file('{"items":[');
  const directory = directoryValue(objects, [{ path: "a", ...file("x"), executable: false }]);
  const list = objects.writeManifest({ kind: "list", items: [directory] });
  rmSync(objects.path(directory.hash));
  const report = await collect([odd.hash, half.hash, "f".repeat(64), list]);
  expect(there()).toEqual([odd.hash, half.hash, list].sort());
  expect(report.removed.objects).toBe(1);
});

it("removes what a killed writer left unfinished", async () => {
  mkdirSync(join(objects.root, "tmp"));
  writeFileSync(join(objects.root, "tmp", "half"), "half a file");
  expect(await collect([], { dryRun: false, olderThanMs: 60_000 })).toMatchObject({ leftovers: 0 });
  const would = await collect([], { dryRun: true, olderThanMs: 0 });
  expect(readdirSync(join(objects.root, "tmp"))).toEqual(["half"]);
  expect(would).toMatchObject({ leftovers: 1, removed: { objects: 0, bytes: 11 } });
  expect(await collect([])).toEqual(would);
  expect(readdirSync(join(objects.root, "tmp"))).toEqual([]);
});

it("finds nothing to do where there is no store", async () => {
  expect(await collectGarbage(join(top, "nowhere"), new Set(), AT_ONCE)).toMatchObject({ kept: { objects: 0 } });
});
