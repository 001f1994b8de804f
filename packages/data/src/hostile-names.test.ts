import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Manifest, Value } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterAll, beforeEach, expect, test } from "vitest";
import { materialise } from "./materialise.ts";
import { ObjectStore } from "./object-store.ts";
import { pathIn } from "./safe-path.ts";

const top = mkdtempSync(join(tmpdir(), "wf-hostile-names-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let home: string;
let objects: ObjectStore;
beforeEach(() => {
  home = mkdtempSync(join(top, "home-"));
  objects = new ObjectStore(join(home, "store"));
  for (const name of ["x", ".bashrc"]) writeFileSync(join(home, name), "mine");
});

/** Everything below a folder but what lies in `except`. */
function seen(folder: string, except: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (except.some((other) => path === other || path.startsWith(`${other}/`))) continue;
    const status = lstatSync(path);
    found[path] = status.isFile() ? readFileSync(path, "utf8") : status.isSymbolicLink() ? readlinkSync(path) : "";
  }
  return found;
}

const step = fc.constantFrom(
  "..",
  ".",
  "",
  "x",
  ".bashrc",
  "a",
  "b\nc",
  "~",
  "\0",
  "d".repeat(256),
  "store",
  "results",
);
const hostile = fc.oneof(
  fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => steps.join("/")),
  fc.string({ unit: "binary", maxLength: 8 }),
);

test("whatever values and manifests name, nothing is written outside of the results", async () => {
  const { hash } = objects.putBytes(Buffer.from("hostile"), "x");
  const value = fc.record({
    names: fc.array(hostile, { minLength: 1, maxLength: 4 }),
    shape: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(value, async ({ names, shape }) => {
      const store = new ObjectStore(objects.root);
      const before = seen(home, [objects.root, join(home, "results")]);
      const results = join(home, "results");
      rmSync(results, { recursive: true, force: true });
      mkdirSync(results);
      await materialise(hostileValue(store, shape, names, hash), join(results, "out"), store).catch(
        (error: unknown) => {
          expect(error).toMatchObject({ code: expect.stringMatching(/^WF_(?!INTERNAL)/) });
        },
      );
      expect(seen(home, [objects.root, results])).toEqual(before);
      expect(readdirSync(results).filter((name) => name !== "out")).toEqual([]);
    }),
    cases(150),
  );
});

function hostileValue(store: ObjectStore, shape: number, names: readonly string[], hash: string): Value {
  const put = (manifest: object) => store.writeManifest(manifest as Manifest);
  const counts = { size: names.length, files: names.length };
  switch (shape) {
    case 0:
      return { kind: "list", items: names.map((name) => ({ kind: "file", hash, size: 7, name })) };
    case 1: {
      const entries = names.map((path) => ({ path, hash, size: 7 }));
      return { kind: "directory", hash: put({ kind: "directory", entries, folders: names }), ...counts };
    }
    case 2: {
      const rows = names.map((name) => ({ image: { hash, size: 7, name } }));
      return { kind: "dataset", hash: put({ kind: "dataset", columns: { image: "file" }, rows }), ...counts, rows: 1 };
    }
    default: {
      const columns = Object.fromEntries(names.map((name) => [name, "file"]));
      const row = Object.fromEntries(names.map((name) => [name, { hash, size: 7, name: "x" }]));
      return { kind: "dataset", hash: put({ kind: "dataset", columns, rows: [row] }), ...counts, rows: 1 };
    }
  }
}

test("a path is made of one name alone", () => {
  fc.assert(
    fc.property(hostile, (name) => {
      let path: string;
      try {
        path = pathIn("/folder", name);
      } catch (error) {
        expect(error).toMatchObject({ code: "WF_PATH_ESCAPE" });
        return;
      }
      expect(path).toBe(`/folder/${name}`);
      expect(name.split("/")).toHaveLength(1);
    }),
    cases(300),
  );
});

test("a manifest that another store has published is refused for what it names", () => {
  const entries = [{ path: "x", hash: "../home/.ssh/id_rsa", size: 4 }];
  const hash = objects.writeManifest({ kind: "directory", entries });
  const fresh = new ObjectStore(objects.root);
  expect(() => fresh.readManifest(hash)).toThrow(
    expect.objectContaining({ code: "WF_ARTIFACT_INVALID", message: expect.stringContaining("entries.0.hash") }),
  );
});

test.each(["", "../home/.ssh/id_rsa", "A".repeat(64), `${"a".repeat(64)}\n`])("no object lies under %j", (hash) => {
  expect(() => objects.path(hash)).toThrow("not a content hash");
});
