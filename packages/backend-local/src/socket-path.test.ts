import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { launcherSocketPath, privateFolder } from "./socket-path.ts";

let root: string;
let usual: string;
let own: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wf-socket-"));
  usual = join(root, "usual");
  own = join(root, "own");
});
afterEach(() => rmSync(root, { recursive: true }));

test("makes the folder for this user alone, and finds it again", () => {
  expect(statSync(privateFolder(usual)).mode & 0o777).toBe(0o700);
  expect(privateFolder(usual)).toBe(usual);
});

test("refuses a folder that others can enter", () => {
  mkdirSync(usual);
  chmodSync(usual, 0o755);
  expect(() => privateFolder(usual)).toThrow(expect.objectContaining({ code: "WF_LAUNCHER" }));
});

test("refuses a link in its place", () => {
  mkdirSync(join(root, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(root, "elsewhere"), usual);
  expect(() => privateFolder(usual)).toThrow(expect.objectContaining({ code: "WF_LAUNCHER" }));
});

test("somebody who has taken the name of the usual folder is not in the way", () => {
  mkdirSync(usual, { mode: 0o755 });
  const path = launcherSocketPath("/s", "a", { usual, own });
  expect(dirname(path)).toBe(own);
  expect(statSync(own).mode & 0o777).toBe(0o700);
  writeFileSync(path, "");
  rmSync(usual, { recursive: true });
  expect(launcherSocketPath("/s", "a", { usual, own })).toBe(path);
  expect(dirname(launcherSocketPath("/s", "b", { usual, own }))).toBe(usual);
});

test("where the user's own folder lies too deep for a socket, or there is none, who is in the way is told", () => {
  mkdirSync(usual, { mode: 0o755 });
  for (const unusable of [join(root, "x".repeat(100)), join(root, "no home", "own")]) {
    expect(() => launcherSocketPath("/s", "a", { usual, own: unusable })).toThrow(
      expect.objectContaining({ code: "WF_LAUNCHER", where: usual, hint: expect.stringContaining(`ls -ld ${usual}`) }),
    );
  }
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
