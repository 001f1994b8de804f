import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Value } from "@wf/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Store } from "./store.ts";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-artifacts-"));
  store = Store.open(folder);
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function fileOf(letter: string): Value {
  return { kind: "file", hash: letter.repeat(64), size: 10, name: `${letter}.txt` };
}

function runWith(inputs: Readonly<Record<string, Value>>): string {
  const workflow = { name: "w", file: "w.ts", hash: "f".repeat(64), source: "" };
  return store.createRun({ workflow, params: {}, inputs, site: "local", options: {}, plan: {}, git: null });
}

it("knows files by content, and lists by their items where they first stand", () => {
  runWith({ all: { kind: "list", items: [fileOf("b"), { kind: "list", items: [fileOf("a")] }, fileOf("b")] } });
  expect(store.artifact("a".repeat(64), "file")).toEqual({
    hash: "a".repeat(64),
    kind: "file",
    sizeBytes: 10,
    files: null,
    rows: null,
    items: null,
    name: "a.txt",
  });
  expect(store.artifact("a".repeat(64), "directory")).toBeUndefined();
  const [list] = store.query("SELECT hash FROM artifact WHERE kind = 'list'").rows;
  expect(store.artifact(String(list?.[0]), "list")?.items).toBe(3);
  expect(store.listItems(String(list?.[0])).map(({ name }) => name)).toEqual(["b.txt", "a.txt"]);
});

it("tells what would still be needed without a run, and leaves the run alone", () => {
  const gone = runWith({ a: fileOf("a"), b: fileOf("b") });
  const kept = runWith({ b: fileOf("b") });
  const needed = store.referencedContent({ without: [gone] }).map(({ hash }) => hash);
  expect(needed).toEqual(["b".repeat(64)]);
  expect(store.runs().map(({ run }) => run)).toEqual([kept, gone]);
  expect(store.referencedContent()).toHaveLength(2);
});
