import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DirectoryValue, FileValue } from "@wf/protocol";
import { ended, part, readyWith, StoreFixture, step } from "@wf/run/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { gc } from "./gc.ts";
import { models } from "./models.ts";

let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

interface Trained {
  readonly run: string;
  readonly value: FileValue | DirectoryValue;
}

async function train(content: string, { dice = 0.5, name = "unet" } = {}): Promise<Trained> {
  const path = join(fixture.folder, "model.pt");
  writeFileSync(path, content);
  const value = (await fixture.importer.importFile(path)) as FileValue;
  return register(value, { dice, name });
}

function register(value: Trained["value"], { dice, name }: { dice: number; name: string }): Trained {
  const run = fixture.begin({ stages: ["train"], params: { epochs: 8 } });
  fixture.note(run, [
    readyWith(step("train"), [part("command", ["train"]), part("param lr", 0.1)]),
    ended(step("train"), { state: "done", outputs: { model: value } }),
  ]);
  const journal = fixture.store.journal(run);
  journal.runFinished({ status: "succeeded", outputs: { model: value }, metrics: {}, error: null });
  const metrics = { dice: { value: dice, splits: ["train", "test"] }, loss: { value: 1 - dice, splits: [] } };
  journal.registerModels([{ name, output: "model", value, splits: ["train"], metrics }]);
  return { run, value };
}

async function shown(text: string | undefined, options = {}): Promise<string[]> {
  const screen = new CapturedScreen(80);
  await models(text, { ...fixture.options, ...options }, screen);
  for (const line of screen.lines) expect(line.length).toBeLessThanOrEqual(80);
  return screen.lines;
}

describe("models", () => {
  it("lists each with its newest version", async () => {
    await train("a", { dice: 0.9 });
    const { run } = await train("b", { dice: 0.8 });
    await train("c", { name: "vgg" });
    const lines = (await shown(undefined)).map((line) => line.replace(/ +/g, " "));
    expect(lines).toEqual([
      "model versions newest metrics size when run",
      `unet 2 @2 dice 0.8 loss 0.2 1 B just now ${run}`,
      expect.stringMatching(/^vgg 1 @1 /),
    ]);
    const json = new CapturedScreen();
    await models(undefined, { ...fixture.options, json: true }, json);
    expect(json.json).toMatchObject([
      { model: "unet", versions: 2, newest: { version: 2, run, metrics: { dice: { value: 0.8 } } } },
      { model: "vgg", versions: 1 },
    ]);
  });

  it("shows versions with the best of each metric, and where the newest comes from", async () => {
    await train("a", { dice: 0.9 });
    const { run } = await train("b", { dice: 0.8 });
    const lines = (await shown("unet")).map((line) => line.replace(/ +/g, " "));
    expect(lines).toEqual(
      expect.arrayContaining([
        "unet 2 versions",
        expect.stringMatching(/^ @1 0\.9\* 0\.1\* 1 B /),
        expect.stringMatching(/^ @2 0\.8 0\.2 1 B /),
        " * the highest dice, the lowest loss",
        "unet@2",
        ` made by ${run} train`,
        " code not in a repository",
        " params epochs=8",
        " task params lr=0.1",
        " dice 0.8 on test data",
        " next wf models unet@2 --export model.pt",
      ]),
    );
    expect((await shown("unet@best:dice"))[0]).toBe("unet@1");
    expect((await shown("unet@1")).join("\n")).not.toContain("versions");
  });

  it("knows who came to the same content, who used it, and that a run is gone", async () => {
    const first = await train("a");
    const again = await train("a");
    const user = fixture.begin({ stages: [], inputs: { model: first.value } });
    fixture.end(user, "succeeded");
    fixture.store.deleteRun(first.run);
    const lines = (await shown("unet")).map((line) => line.replace(/ +/g, " "));
    expect(lines).toContain(` made by ${first.run} train (deleted since)`);
    expect(lines).toContain(` again by ${again.run}`);
    expect(lines).toContain(` used by ${user}`);
  });

  it("says how to make one where there is none", async () => {
    expect((await shown(undefined)).join()).toContain("asModel(");
    await expect(shown("unet")).rejects.toMatchObject({ code: "WF_MODEL_NOT_FOUND" });
    await expect(shown("not a name")).rejects.toMatchObject({ code: "WF_USAGE" });
  });

  it("writes a version out, as a copy", async () => {
    await train("first");
    await train("second");
    const place = join(fixture.folder, "out");
    mkdirSync(place);
    await shown("unet@1", { export: join(place, "one.pt") });
    await shown("unet", { export: place });
    expect(readFileSync(join(place, "one.pt"), "utf8")).toBe("first");
    expect(readFileSync(join(place, "model.pt"), "utf8")).toBe("second");
    await expect(shown(undefined, { export: "x" })).rejects.toMatchObject({ code: "WF_USAGE" });
  });

  it("writes a folder where none is, and never over one", async () => {
    mkdirSync(join(fixture.folder, "weights"));
    writeFileSync(join(fixture.folder, "weights", "w"), "w");
    const value = (await fixture.importer.importDirectory(join(fixture.folder, "weights"))) as DirectoryValue;
    register(value, { dice: 1, name: "folder" });
    const place = join(fixture.folder, "out");
    await shown("folder", { export: place });
    expect(readFileSync(join(place, "w"), "utf8")).toBe("w");
    await expect(shown("folder", { export: place })).rejects.toMatchObject({ code: "WF_USAGE" });
  });

  it("tags a version, and takes the tag away", async () => {
    await train("a");
    await train("b");
    expect(await shown("unet@1", { tag: "good" })).toEqual(["unet@good is unet@1"]);
    expect((await shown("unet@good"))[0]).toBe("unet@1  good");
    expect((await shown("unet"))[1]?.replace(/ +/g, " ")).toBe(" version tags dice loss size when run");
    expect(await shown("unet", { untag: "good" })).toEqual(["good names no version now"]);
    await expect(shown("unet", { untag: "good" })).rejects.toMatchObject({ code: "WF_MODEL_NOT_FOUND" });
    for (const tag of ["3", "a b", "best:dice"])
      await expect(shown("unet", { tag })).rejects.toMatchObject({ code: "WF_USAGE" });
  });

  it("keeps the content of a model when its run goes, until the model is removed", async () => {
    const { run, value } = await train("precious");
    const content = fixture.objects.path(value.hash);
    const collected = async () => {
      const screen = new CapturedScreen();
      await gc({ ...fixture.options, json: true, keep: 0, dryRun: false }, screen);
      return screen.json[0] as { runs: unknown[]; keptObjects: { count: number }; young: { count: number } };
    };
    expect(await collected()).toMatchObject({ runs: [{ run }], keptModels: 1, keptObjects: { count: 1 } });
    expect(existsSync(content)).toBe(true);
    await expect(shown("unet", { remove: true })).rejects.toMatchObject({ hint: "wf models unet@1 --remove" });
    expect((await shown("unet@1", { remove: true }))[0]).toMatch(/^unet@1 is forgotten/);
    expect(await collected()).toMatchObject({ keptObjects: { count: 0 }, young: { count: 1 } });
  });

  it("removes nothing while a run is under way", async () => {
    await train("a");
    fixture.store.acquireLease(fixture.begin({ stages: [] }));
    await expect(shown("unet@1", { remove: true })).rejects.toMatchObject({ code: "WF_RUN_OWNED" });
  });
});
