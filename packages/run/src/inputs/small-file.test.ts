import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "@wf/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gitState } from "../executing/git-state.ts";
import { knownSites } from "../planning/known-sites.ts";
import { readFirstLine, readSmallFile } from "./small-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf small "));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("reads what people write, and nothing that never ends", () => {
  writeFileSync(join(folder, "a"), "é".repeat(100_000));
  expect(readSmallFile(join(folder, "a"))).toBe("é".repeat(100_000));
  for (const path of ["/dev/zero", "/dev/tty", folder]) expect(() => readSmallFile(path)).toThrow();
  truncateSync(join(folder, "a"), 1024 ** 3);
  expect(() => readSmallFile(join(folder, "a"))).toThrow("is larger than");
  execFileSync("mkfifo", [join(folder, "pipe")]);
  expect(() => readSmallFile(join(folder, "pipe"))).toThrow("is not a regular file");
});

test("the first line of a file is read without the others", () => {
  writeFileSync(join(folder, "a"), `${"é".repeat(100_000)}\nsecond\n`);
  truncateSync(join(folder, "a"), 1024 ** 3);
  expect(readFirstLine(join(folder, "a"))).toBe("é".repeat(100_000));
  writeFileSync(join(folder, "b"), "no end");
  expect(readFirstLine(join(folder, "b"))).toBe("no end");
  execFileSync("mkfifo", [join(folder, "pipe")]);
  for (const path of ["/dev/zero", join(folder, "pipe"), folder]) expect(() => readFirstLine(path)).toThrow();
  truncateSync(join(folder, "b"), 1024 ** 3);
  expect(() => readFirstLine(join(folder, "b"))).toThrow("is larger than");
});

test("the lock files of a repository are hashed, and what never ends is passed over", async () => {
  execFileSync("git", ["init", "-q", folder]);
  writeFileSync(join(folder, "package-lock.json"), "{}");
  symlinkSync("/dev/zero", join(folder, "uv.lock"));
  execFileSync("mkfifo", [join(folder, "poetry.lock")]);
  expect((await gitState(folder))?.locks).toEqual({ "package-lock.json": sha256("{}") });
});

test.each(["/dev/zero", "pipe", "."])("a file of sites that includes %s is told so", (path) => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  writeFileSync(join(folder, "sites.yaml"), `include: ${path}\n`);
  expect(() => knownSites(folder)).toThrow(
    expect.objectContaining({ code: "WF_SITE_INVALID", where: expect.stringContaining("sites.yaml:1") }),
  );
});
