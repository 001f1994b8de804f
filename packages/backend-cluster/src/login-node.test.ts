import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localTransport } from "@wf/transport";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LoginNode } from "./login-node.ts";

const { signal } = new AbortController();
let storage: string;
let file: string;
beforeEach(() => {
  storage = mkdtempSync(join(tmpdir(), "wf login "));
  const folder = join(storage, "runs/r1/submissions/t1/output");
  mkdirSync(folder, { recursive: true });
  file = join(folder, "0.txt");
});
afterEach(() => rmSync(storage, { recursive: true }));

const printed = () => {
  const transport = localTransport();
  const node = new LoginNode({ run: "r1", scheduler: "slurm", storage, transport, python: "python3" });
  return node.outputOf({ token: "t1", index: 0 }, signal);
};

it("the end of what a job printed is read, however much that is", async () => {
  expect(await printed()).toBe("");
  writeFileSync(file, "hello\n");
  expect(await printed()).toBe("hello\n");
  writeFileSync(file, `${"x".repeat(100_000)}end`);
  expect(await printed()).toBe(`${"x".repeat(65_533)}end`);
  truncateSync(file, 4 * 1024 ** 3);
  writeFileSync(file, "end", { flag: "a" });
  expect(await printed()).toMatch(/^\0{65533}end$/);
});

it.each<[string, () => void]>([
  ["a pipe", () => void execFileSync("mkfifo", [file])],
  ["a link to what never ends", () => symlinkSync("/dev/zero", file)],
  ["a folder", () => mkdirSync(file)],
])("%s in its place says nothing", async (_what, put) => {
  put();
  expect(await printed()).toBe("");
});
