import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument, writeDocument } from "./write-document.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-document-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a document", () => {
  it("takes the place of the one before, in folders that are made", () => {
    const path = join(folder, "deep", "er", "one.json");
    writeDocument(path, '{"a":1}');
    writeDocument(path, '{"a":2}');
    expect(readDocument(path)).toEqual({ a: 2 });
    expect(readdirSync(join(folder, "deep", "er"))).toEqual(["one.json"]);
  });

  it("that is new replaces none", () => {
    const path = join(folder, "new.json");
    writeDocument(path, "1", { isNew: true });
    expect(() => writeDocument(path, "2", { isNew: true })).toThrow("EEXIST");
    expect(readDocument(path)).toBe(1);
  });

  it.each(["", '{"a":', "\0\0\0"])("of which only %j is there is as if it were not", (left) => {
    const path = join(folder, "left.json");
    writeFileSync(path, left);
    expect(readDocument(path)).toBeUndefined();
  });

  it.each<[string, (path: string) => void]>([
    ["a pipe", (path) => void spawnSync("mkfifo", [path])],
    ["a link to what never ends", (path) => symlinkSync("/dev/zero", path)],
    ["a link to a document", (path) => symlinkSync(join(folder, "new.json"), path)],
    ["a folder", (path) => mkdirSync(path)],
    ["JSON that is nested without end", (path) => writeFileSync(path, `${"[".repeat(1e5)}${"]".repeat(1e5)}`)],
  ])("is not %s", (_what, put) => {
    const path = join(folder, "hostile.json");
    put(path);
    expect(readDocument(path)).toBeUndefined();
    rmSync(path, { recursive: true });
  });

  it("that does not fit on the disk leaves the one before, and nothing beside it", ({ skip }) => {
    const disk = mkdtempSync(join(folder, "disk-"));
    const isRoot = process.platform === "linux" && process.getuid?.() === 0;
    const isMounted = isRoot && spawnSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", disk]).status === 0;
    skip(!isMounted, "SKIPPED: a small file system can only be mounted by root");
    try {
      const path = join(disk, "one.json");
      writeDocument(path, '{"a":1}');
      expect(() => writeDocument(path, JSON.stringify("x".repeat(64_000)))).toThrow("ENOSPC");
      expect(readFileSync(path, "utf8")).toBe('{"a":1}');
      expect(readdirSync(disk)).toEqual(["one.json"]);
    } finally {
      spawnSync("umount", ["-l", disk]);
    }
  });
});
