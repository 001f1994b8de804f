import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlanHeader, PlanLine } from "@wf/planner";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PlanWriter } from "./plan-writer.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf plan "));
});
afterEach(() => rmSync(folder, { recursive: true }));

const HEADER = { type: "plan", version: 1 } as unknown as PlanHeader;
const LINE = { type: "task", text: "x".repeat(10_000) } as unknown as PlanLine;

test("a plan that was there stays until the new one is whole, and no link is written through", () => {
  const path = join(folder, "plan.jsonl");
  writeFileSync(path, "old");
  writeFileSync(join(folder, "mine"), "mine");
  symlinkSync(join(folder, "mine"), `${path}.${process.pid}`);
  const writer = new PlanWriter(path, HEADER);
  writer.write(LINE);
  expect(readFileSync(path, "utf8")).toBe("old");
  writer.close();
  expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(HEADER)}\n${JSON.stringify(LINE)}\n`);
  expect(readFileSync(join(folder, "mine"), "utf8")).toBe("mine");
});

test("a plan of which only a part fits on the disk is none, and says so", ({ skip }) => {
  const disk = mkdtempSync(join(folder, "disk-"));
  const isRoot = process.platform === "linux" && process.getuid?.() === 0;
  const isMounted = isRoot && spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).status === 0;
  skip(!isMounted, "SKIPPED: a small file system can only be mounted by root");
  try {
    const writer = new PlanWriter(join(disk, "plan.jsonl"), HEADER);
    for (let line = 0; line < 9; line += 1) writer.write(LINE);
    expect(() => writer.close()).toThrow(expect.objectContaining({ code: "WF_DISK_FULL" }));
    writer.abandon();
    expect(readdirSync(disk)).toEqual([]);
  } finally {
    spawnSync("umount", ["-l", disk]);
  }
});
