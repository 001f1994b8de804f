import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sqliteOrigin } from "./sqlite-origin.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-sqlite-"));
  mkdirSync(join(folder, "build/Release"), { recursive: true });
  writeFileSync(join(folder, "build/Release/better_sqlite3.node"), "");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("native code that comes alone was fetched, and with its makefile it was compiled", () => {
  const there = pathToFileURL(`${folder}/`);
  expect(sqliteOrigin(there)).toBe("fetched");
  writeFileSync(join(folder, "build/Makefile"), "");
  expect(sqliteOrigin(there)).toBe("compiled");
});
