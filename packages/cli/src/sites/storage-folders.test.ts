import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseStorage, parseStorageFolders, STORAGE_LINES, type StorageFolder } from "./storage-folders.ts";

const folder = (path: string, more: Partial<StorageFolder> = {}): StorageFolder => ({
  path,
  isWritable: true,
  fileSystem: "ext4",
  looksShared: false,
  freeBytes: 1e12,
  freeFiles: 1e9,
  ...more,
});

test("the lines find what is there, once each, whatever a login prints before", () => {
  const root = mkdtempSync(join(tmpdir(), "wf-storage-"));
  const home = join(root, "my home");
  mkdirSync(home);
  const env = { PATH: "/usr/bin:/bin", HOME: home, SCRATCH: root, WORK: root };
  const text = execFileSync("/bin/sh", ["-c", `echo Welcome; ${STORAGE_LINES}`], { env, encoding: "utf8" });
  const found = parseStorageFolders(text);
  rmSync(root, { recursive: true });
  const own = found.filter(({ path }) => path.startsWith(root));
  expect(own.map(({ path }) => path)).toEqual([root, home]);
  expect(own[0]).toMatchObject({ isWritable: true, fileSystem: expect.any(String), freeBytes: expect.any(Number) });
});

test.each([
  [
    "shared scratch goes before home",
    [folder("/scratch/me", { looksShared: true }), folder("/home/me")],
    "/scratch/me",
  ],
  [
    "a scratch of the login node alone does not",
    [folder("/scratch/me"), folder("/home/me", { looksShared: true })],
    "/home/me",
  ],
  [
    "nor does one that is full",
    [folder("/scratch/me", { looksShared: true, freeBytes: 1e6 }), folder("/home/me", { looksShared: true })],
    "/home/me",
  ],
  [
    "nor one that can hold no more files",
    [folder("/scratch/me", { looksShared: true, freeFiles: 10 }), folder("/home/me", { looksShared: true })],
    "/home/me",
  ],
  ["nor one that cannot be written", [folder("/scratch/me", { isWritable: false }), folder("/home/me")], "/home/me"],
  ["where none has room, any", [folder("/home/me", { freeBytes: 1 })], "/home/me"],
  ["where none can be written, none", [folder("/home/me", { isWritable: false })], undefined],
])("%s", (_, folders, path) => {
  expect(chooseStorage(folders)?.path).toBe(path);
});
