import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { launcherSocketPath, privateSocketFolder } from "./socket-path.ts";

const name = `wf-${process.getuid?.() ?? 0}`;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wf-socket-"));
});
afterEach(() => rmSync(root, { recursive: true }));

test("makes the folder for this user alone, and finds it again", () => {
  const folder = privateSocketFolder(root);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(privateSocketFolder(root)).toBe(folder);
});

test("refuses a folder that others can enter", () => {
  mkdirSync(join(root, name));
  chmodSync(join(root, name), 0o755);
  expect(() => privateSocketFolder(root)).toThrow(expect.objectContaining({ code: "WF_LAUNCHER" }));
});

test("refuses a link in its place", () => {
  mkdirSync(join(root, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(root, "elsewhere"), join(root, name));
  expect(() => privateSocketFolder(root)).toThrow(expect.objectContaining({ code: "WF_LAUNCHER" }));
});

test("a socket's path is short and its own for each run and storage", () => {
  const storage = `/${"very-long-folder-name/".repeat(20)}`;
  const paths = new Set([
    launcherSocketPath(storage, "a"),
    launcherSocketPath(storage, "b"),
    launcherSocketPath("/s", "a"),
  ]);
  expect(paths.size).toBe(3);
  for (const path of paths) expect(Buffer.byteLength(path)).toBeLessThan(100);
});
