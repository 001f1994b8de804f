import { existsSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Value } from "@wf/protocol";
import { StoreFixture } from "@wf/run/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { gc } from "./gc.ts";

let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

async function runWithFile(name: string): Promise<{ run: string; object: string; folder: string }> {
  const path = join(fixture.folder, name);
  writeFileSync(path, name.repeat(1000));
  const value = (await fixture.importer.importFile(path)) as Value & { hash: string };
  const run = fixture.begin({ stages: [], inputs: { data: value } });
  fixture.end(run, "succeeded");
  const folder = join(fixture.folder, "runs", run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "log"), "x".repeat(500));
  return { run, object: fixture.objects.path(value.hash), folder };
}

async function report(options: object): Promise<Record<string, never> & { runs: { run: string }[] }> {
  const screen = new CapturedScreen();
  await gc({ ...fixture.options, json: true, ...options }, screen);
  return screen.json[0] as never;
}

it("without options keeps every run, and says so", async () => {
  await runWithFile("a");
  const screen = new CapturedScreen();
  await gc(fixture.options, screen);
  expect(screen.lines).toEqual([
    "freed 0 B: no runs, no objects (0 B), no run folders (0 B)",
    "kept 1 run, 1 object (1.00 kB)",
  ]);
});

it("says in a dry run what would go, and removes nothing", async () => {
  const old = await runWithFile("a");
  const kept = await runWithFile("b");
  const screen = new CapturedScreen();
  await gc({ ...fixture.options, keep: 1, dryRun: true }, screen);
  expect(screen.lines[0]).toContain(old.run);
  expect(screen.lines[1]).toBe("would free 500 B: 1 run, no objects (0 B), 1 run folder (500 B)");
  expect(screen.lines[2]).toBe("kept although no run needs them, for they are new: 1 object (1.00 kB)");
  expect(fixture.store.runs().map(({ run }) => run)).toEqual([kept.run, old.run]);
  expect([old.object, old.folder].every(existsSync)).toBe(true);
});

it("removes old runs with their folders, and keeps what others need", async () => {
  const old = await runWithFile("a");
  const kept = await runWithFile("b");
  const { runs } = await report({ keep: 1 });
  expect(runs.map(({ run }) => run)).toEqual([old.run]);
  expect(existsSync(old.folder)).toBe(false);
  expect([kept.object, kept.folder].every(existsSync)).toBe(true);
  expect(fixture.store.runs().map(({ run }) => run)).toEqual([kept.run]);
});

it("keeps the newest whatever their age, and goes by age", async () => {
  const { run } = await runWithFile("a");
  expect((await report({ olderThan: "30d", dryRun: true })).runs).toEqual([]);
  expect((await report({ olderThan: "0s", keep: 1, dryRun: true })).runs).toEqual([]);
  expect((await report({ olderThan: "0s", dryRun: true })).runs).toMatchObject([{ run }]);
  for (const olderThan of ["soon", "3", "0.5"]) {
    await expect(report({ olderThan })).rejects.toMatchObject({
      code: "WF_USAGE",
      hint: expect.stringContaining("30d"),
    });
  }
  expect(fixture.store.runs().map((kept) => kept.run)).toEqual([run]);
});

it("keeps the newest of each workflow", async () => {
  const [a1, b1, a2] = ["a", "b", "a"].map((workflow) => {
    const run = fixture.begin({ workflow, stages: [] });
    fixture.end(run, "succeeded");
    return run;
  });
  expect((await report({ keep: 1, dryRun: true })).runs).toMatchObject([{ run: a1 }]);
  expect((await report({ keep: 0, dryRun: true })).runs).toMatchObject([{ run: a2 }, { run: b1 }, { run: a1 }]);
});

it("refuses while a run is under way", async () => {
  const run = fixture.begin({ stages: [] });
  fixture.store.acquireLease(run);
  for (const options of [{}, { dryRun: true }, { keep: 0 }, { keep: 5 }]) {
    await expect(report(options)).rejects.toMatchObject({
      code: "WF_RUN_OWNED",
      message: expect.stringContaining(`nothing was removed: ${run} still runs`),
    });
  }
});

it("counts of a run's folder what is nowhere else", async () => {
  const { run, folder } = await runWithFile("a");
  linkSync(join(folder, "log"), join(fixture.folder, "log-elsewhere"));
  writeFileSync(join(folder, "notes"), "x".repeat(30));
  fixture.store.deleteRun(run);
  expect((await report({ dryRun: true })).folders).toEqual({ count: 1, bytes: 30 });
});

it("spares an interrupted run unless its age is named", async () => {
  const run = fixture.begin({ stages: [] });
  expect((await report({ keep: 0, dryRun: true })).runs).toEqual([]);
  expect((await report({ olderThan: "0s", dryRun: true })).runs).toMatchObject([{ run, status: "interrupted" }]);
});
