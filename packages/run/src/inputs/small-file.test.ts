import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { knownSites } from "../planning/known-sites.ts";
import { readSmallFile } from "./small-file.ts";

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

test.each(["/dev/zero", "pipe", "."])("a file of sites that includes %s is told so", (path) => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  writeFileSync(join(folder, "sites.yaml"), `include: ${path}\n`);
  expect(() => knownSites(folder)).toThrow(
    expect.objectContaining({ code: "WF_SITE_INVALID", where: expect.stringContaining("sites.yaml:1") }),
  );
});
