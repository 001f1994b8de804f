import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { valueHash } from "@wf/data";
import type { KeyPart, Value } from "@wf/protocol";
import { ended, lifeOf, part, ready, readyWith, StoreFixture, step } from "@wf/run/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { why } from "./why.ts";

let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

async function folderOf(changed: readonly number[]): Promise<Value> {
  const folder = join(fixture.folder, "source");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (let i = 0; i < 20; i++) writeFileSync(join(folder, `${i}.png`), changed.includes(i) ? `changed ${i}` : `${i}`);
  return fixture.importer.importDirectory(folder);
}

function inputPart(name: string, value: Value): KeyPart {
  return { name: `input ${name}`, hash: valueHash(value) };
}

/** Runs the task `train` with that key, and says why. */
async function ran(parts: readonly KeyPart[], inputs: Record<string, Value> = {}, options = {}): Promise<string> {
  const run = fixture.begin({ stages: ["train"], options });
  const task = step("train");
  fixture.note(run, [readyWith(task, parts, inputs), ...lifeOf(task, 1, { run }).slice(1)]);
  fixture.end(run, "succeeded");
  return run;
}

async function answer(run: string, task = "train"): Promise<string[]> {
  const screen = new CapturedScreen();
  await why(run, task, fixture.options, screen);
  return screen.lines;
}

it("names the parts that differ, files of an input included", async () => {
  const [before, after] = [await folderOf([]), await folderOf([3, 17])];
  const first = await ran(
    [part("command", ["t"]), part("param lr", 0.1), part("param old", 1), inputPart("train", before)],
    {
      train: before,
    },
  );
  const second = await ran(
    [part("command", ["t"]), part("param lr", 0.2), part("param new", true), inputPart("train", after)],
    { train: after },
  );
  expect(await answer(second)).toEqual([
    `train ran: 4 parts of its key differ from ${first} train`,
    "  param `lr`: 0.1 -> 0.2",
    "  param `new`: new (true)",
    "  input `train`: 2 of 20 files differ (17.png, 3.png)",
    "  param `old`: no longer there (it was 1)",
    "  the same: command",
  ]);
});

it("counts changed files of the code", async () => {
  const settings = (code: Value) => ({
    keepGoing: false,
    retries: 0,
    useCache: true,
    outputs: null,
    site: {
      backend: "local",
      capacity: { cpus: 1, memoryBytes: 1, gpus: 0 },
      clustering: { strategy: "none", tasksPerJob: 1, stages: {} },
      placement: "shared",
      env: {},
    },
    code: { train: [{ name: "project", path: "code", value: code }] },
  });
  const [before, after] = [await folderOf([]), await folderOf([1, 2])];
  const codePart = (value: Value) => ({ name: "code project", hash: valueHash(value) });
  await ran([codePart(before)], {}, settings(before));
  const second = await ran([codePart(after)], {}, settings(after));
  expect((await answer(second))[1]).toBe("  code `project`: 2 of 20 files differ (1.png, 2.png)");
});

it("still says that an input changed when its content is gone", async () => {
  const [before, after] = [await folderOf([]), await folderOf([1])];
  await ran([inputPart("train", before)], { train: before });
  const second = await ran([inputPart("train", after)], { train: after });
  rmSync(join(fixture.folder, "objects"), { recursive: true });
  expect((await answer(second))[1]).toBe("  input `train`: changed");
});

it("explains a hit by where it came from", async () => {
  const first = await ran([part("param lr", 0.1)]);
  const run = fixture.begin({ stages: ["train"] });
  const task = step("train");
  fixture.note(run, [
    readyWith(task, [part("param lr", 0.1)]),
    ended(task, { state: "cached", cachedFrom: { run: first, task: "train" } }),
  ]);
  expect(await answer(run)).toEqual([
    `train was cached from ${first} train: all 1 parts of its key are the same`,
    "  param lr",
  ]);
});

it("tells the other reasons to run", async () => {
  const first = await ran([part("param lr", 0.1)]);
  expect(await answer(first)).toEqual(["train ran: it never ran before"]);
  const forced = await ran([part("param lr", 0.1)], {}, { useCache: false });
  expect((await answer(forced))[0]).toContain("the run was started with --no-cache");
  const gone = await ran([part("param lr", 0.1)]);
  expect((await answer(gone))[0]).toContain("its result was no longer there");
  const run = fixture.begin({ stages: ["train"] });
  fixture.note(run, [ready(step("train", 0)), ...lifeOf(step("train", 0), 1, { run }).slice(1)]);
  fixture.note(run, [ended(step("train", 1), { state: "skipped", cause: { root: "train.0", message: "no" } })]);
  expect(await answer(run, "train.0")).toEqual(["train.0 ran: it has no key, so it is never reused"]);
  expect((await answer(run, "train.1"))[0]).toMatch(/^train.1 was not run: train.0 failed/);
});

it("compares a task that never ran with the nearest of its stage", async () => {
  const first = await ran([part("param lr", 0.1)]);
  const run = fixture.begin({ stages: ["train"] });
  const task = step("train", 5);
  fixture.note(run, [readyWith(task, [part("param lr", 0.3)]), ...lifeOf(task, 1, { run }).slice(1)]);
  expect((await answer(run, "train.5"))[0]).toBe(
    `train.5 never ran before. Compared with the nearest, ${first} train: 1 part of its key differs`,
  );
});

it("gives the reason as JSON", async () => {
  await ran([part("param lr", 0.1)]);
  const run = await ran([part("param lr", 0.2)]);
  const screen = new CapturedScreen();
  await why(run, "train", { ...fixture.options, json: true }, screen);
  expect(screen.json).toMatchObject([
    {
      run,
      task: "train",
      why: "key-differs",
      changes: [{ part: "param lr", change: "changed", before: "0.1", after: "0.2" }],
    },
  ]);
});
