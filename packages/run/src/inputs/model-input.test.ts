import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { file, type GraphInput, type SplitSet, workflow } from "@wf/core";
import type { FileValue, ModelChoice } from "@wf/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { StoreFixture } from "../testing/store-fixture.ts";
import { inputSources } from "./import-inputs.ts";
import { modelInput } from "./model-input.ts";

let fixture: StoreFixture;
let notes: string[];
beforeEach(() => {
  fixture = new StoreFixture();
  notes = [];
});
afterEach(() => fixture.close());

async function register(content: string, { dice = 0.5, splits = ["train"] } = {}): Promise<FileValue> {
  const path = join(fixture.folder, "model.pt");
  writeFileSync(path, content);
  const value = (await fixture.importer.importFile(path)) as FileValue;
  const run = fixture.begin({ stages: [] });
  const metrics = { dice: { value: dice, splits: [] } };
  fixture.store.journal(run).registerModels([{ name: "unet", output: "model", value, splits, metrics }]);
  fixture.end(run, "succeeded");
  return value;
}

const ANY: GraphInput = { type: { kind: "file" }, splits: ["unsplit"], from: undefined, model: undefined };
const NEWEST: ModelChoice = { name: "unet", pick: "newest" };

function taken(choice: ModelChoice = NEWEST, input: GraphInput = ANY) {
  const { store, objects } = fixture;
  const workflowFile = join(fixture.folder, "apply.ts");
  return modelInput("model", input, choice, { store, objects, workflowFile, note: (text) => notes.push(text) });
}

const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error as { code: string; message: string; hint: string };
  }
  throw new Error("it was not refused");
};

it("takes the version that is meant, and says which", async () => {
  await register("a", { dice: 0.9 });
  const newest = await register("b", { dice: 0.1 });
  expect(taken()).toEqual({ path: "model:unet@2", value: newest });
  expect(taken({ name: "unet", pick: "highest", metric: "dice" }).path).toBe("model:unet@1");
  expect(notes).toEqual([
    expect.stringMatching(/^model is unet@2, made by demo-2-/),
    expect.stringContaining("unet@1"),
  ]);
});

it("names the workflow to run where nobody has registered the model", () => {
  expect(refusal(taken)).toMatchObject({
    code: "WF_MODEL_NOT_FOUND",
    hint: expect.stringContaining('asModel("unet", …)'),
  });
  writeFileSync(join(fixture.folder, "train.ts"), 'build: () => ({ model: asModel(\n  "unet", trained.model) })');
  writeFileSync(join(fixture.folder, "other.ts"), 'asModel("unet-large", x)');
  const { hint } = refusal(taken);
  expect(hint).toContain("make it first: wf run ");
  expect(hint).toContain("train.ts");
  expect(hint).not.toContain("other.ts");
});

it("refuses another kind, content that is gone, and test data where train data is wanted", async () => {
  const value = await register("a", { splits: ["train", "test"] });
  expect(refusal(() => taken(NEWEST, { ...ANY, type: { kind: "directory" } }))).toMatchObject({
    code: "WF_INPUT_TYPE",
  });
  const as = (splits: SplitSet) => taken(NEWEST, { ...ANY, splits });
  expect(refusal(() => as(["train"]))).toMatchObject({ code: "WF_SPLIT_RELABEL" });
  expect(refusal(() => as([]))).toMatchObject({ code: "WF_SPLIT_RELABEL" });
  expect(as(["test"]).value).toEqual(value);
  rmSync(fixture.objects.path(value.hash));
  expect(refusal(taken)).toMatchObject({ code: "WF_ARTIFACT_MISSING", hint: expect.stringContaining("demo.ts") });
});

it("comes from the command line before the workflow's own default", () => {
  const graph = workflow({
    name: "apply",
    inputs: { model: file("pt", { model: "unet", best: "dice" }) },
    build: ({ inputs }) => ({ ...inputs }),
  }).toGraph();
  const sourceOf = (word?: string) =>
    inputSources(graph, {
      named: new Map(word === undefined ? [] : [["model", word]]),
      workflowFile: "/w/apply.ts",
    }).get("model");
  expect(sourceOf()).toEqual({ model: { name: "unet", pick: "highest", metric: "dice" } });
  expect(sourceOf("model:unet@2")).toEqual({ model: { name: "unet", pick: "version", version: 2 } });
  expect(sourceOf("/data/model.pt")).toEqual({ path: "/data/model.pt" });
  expect(sourceOf("./model:odd")).toEqual({ path: join(process.cwd(), "model:odd") });
  expect(refusal(() => sourceOf("model:a b"))).toMatchObject({
    code: "WF_USAGE",
    hint: expect.stringContaining("NAME@3"),
  });
});
