import type { FileValue } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addStage, file, newRun, runStep, testStore } from "./facts.fixture.ts";
import type { ModelFact } from "./model-table.ts";
import type { Store } from "./store.ts";

const data = (name: string) => ({ ...file(name), kind: "dataset" as const, rows: 10, files: 20 });

/** A run that splits, trains and registers. */
function train(store: Store, content: string, more: { name?: string; dice?: number; loss?: number } = {}): string {
  const run = store.createRun(newRun({ inputs: { xrays: data("xrays") }, params: { epochs: 3 } }));
  const journal = store.journal(run);
  addStage(journal, "split", { position: 0 });
  addStage(journal, "fit", { position: 1, fits: true });
  addStage(journal, "pack", { position: 2 });
  journal.edge("split", "fit");
  journal.edge("fit", "pack");
  const input = (name: string, value: ReturnType<typeof data> | FileValue, split: string[], carried = false) => ({
    name,
    value,
    split,
    carried,
  });
  const splits = { train: ["train"], test: ["test"] };
  const [parts, weights] = [{ train: data("train"), test: data("test") }, { weights: file(`weights of ${content}`) }];
  runStep(journal, { stage: "split", inputs: [input("all", data("xrays"), ["unsplit"])], outputs: parts, splits });
  const given = [input("train", parts.train, ["train"]), input("test", parts.test, ["test"], true)];
  runStep(journal, { stage: "fit", inputs: given, outputs: weights, splits: { weights: ["train"] } });
  const model = file(content, "model.pt");
  runStep(journal, { stage: "pack", inputs: [input("weights", weights.weights, ["train"])], outputs: { model } });
  const { dice = 0.5, loss } = more;
  const metrics: ModelFact["metrics"] = {
    dice: { value: dice, splits: ["test"] },
    ...(loss === undefined ? {} : { loss: { value: loss, splits: ["val"] } }),
  };
  journal.atomically(() => {
    journal.runFinished({ status: "succeeded", outputs: { model }, metrics: {}, error: null });
    journal.registerModels([{ name: more.name ?? "unet", output: "model", value: model, splits: ["train"], metrics }]);
  });
  return run;
}

const names = (store: Store, name?: string) => store.models(name).map(({ model, version }) => `${model}@${version}`);

test("new content is a new version, and equal content the same one, seen again", () => {
  const store = testStore();
  const runs = ["a", "b", "a"].map((content) => train(store, content));
  train(store, "a", { name: "other" });
  expect(names(store)).toEqual(["other@1", "unet@2", "unet@1"]);
  expect(store.models("unet")).toMatchObject([
    { version: 2, run: runs[1], seenAgain: [], value: file("b", "model.pt") },
    { version: 1, run: runs[0], output: "model", seenAgain: [{ run: runs[2] }] },
  ]);
  expect(store.modelsOfRun(runs[2] as string)).toEqual([{ model: "unet", version: 1 }]);
  expect(store.modelsWith({ hash: file("a").hash, kind: "file" })).toEqual([
    { model: "other", version: 1 },
    { model: "unet", version: 1 },
  ]);
});

test("saying it again changes nothing, as a resumed run does", () => {
  const store = testStore();
  const run = train(store, "a");
  const fact = { name: "unet", output: "model", value: file("a", "model.pt"), splits: [], metrics: {} };
  expect(store.journal(run).registerModels([fact])).toMatchObject([{ name: "unet", version: 1, isNew: false }]);
  expect(store.models()).toMatchObject([{ version: 1, seenAgain: [] }]);
});

test("a version knows workflow, parameters, inputs, code, and what was fitted on, with its splits", () => {
  const store = testStore();
  train(store, "a");
  const [model] = store.models();
  expect(model?.metrics).toEqual({ dice: { value: 0.5, splits: ["test"] } });
  expect(model?.lineage).toMatchObject({
    workflow: "lung",
    file: "lung.ts",
    params: { epochs: 3 },
    inputs: [{ name: "xrays", kind: "dataset", rows: 10 }],
    git: null,
    task: "pack",
    splits: ["train"],
    data: [
      { stage: "fit", input: "test", splits: ["test"], carried: true, rows: 10 },
      { stage: "fit", input: "train", splits: ["train"], carried: false, rows: 10, files: 20, artifacts: 1 },
    ],
  });
  expect(
    store.query("SELECT model, version, stage, input, splits, carried FROM model_data ORDER BY input").rows,
  ).toEqual([
    ["unet", 1, "fit", "test", '["test"]', 1],
    ["unet", 1, "fit", "train", '["train"]', 0],
  ]);
  expect(store.query("SELECT name, value, splits FROM model_metric").rows).toEqual([["dice", 0.5, '["test"]']]);
  expect(store.query("SELECT workflow, params, git_commit, runs FROM model").rows).toEqual([
    ["lung", '{"epochs":3}', null, 1],
  ]);
});

test("content and lineage of a model outlive the run that made it, until the model is removed", () => {
  const store = testStore();
  const run = train(store, "a");
  const needed = () => store.referencedContent().map(({ hash }) => hash);
  store.deleteRun(run);
  expect(needed()).toEqual([file("a").hash]);
  const [model] = store.models();
  expect(model).toMatchObject({ run, lineage: { workflow: "lung", data: [{ stage: "fit" }, { stage: "fit" }] } });
  store.removeModel(model as NonNullable<typeof model>);
  expect(needed()).toEqual([]);
  expect(store.models()).toEqual([]);
  expect(store.check()).toEqual([]);
});

test("removing a model leaves alone what a run still needs, and its number is not given again", () => {
  const store = testStore();
  train(store, "a");
  store.removeModel(store.model({ name: "unet", pick: "newest" }));
  expect(store.referencedContent().map(({ hash }) => hash)).toContain(file("a").hash);
  train(store, "a");
  expect(names(store)).toEqual(["unet@2"]);
});

test("a tag names one version at a time", () => {
  const store = testStore();
  for (const content of ["a", "b"]) train(store, content);
  const [two, one] = store.models("unet") as [never, never];
  store.tagModel(one, "good");
  store.tagModel(one, "first");
  store.tagModel(two, "good");
  expect(store.models("unet").map(({ tags }) => tags)).toEqual([["good"], ["first"]]);
  expect(store.model({ name: "unet", pick: "tag", tag: "first" }).version).toBe(1);
  expect(store.query("SELECT version, tags FROM model ORDER BY version").rows).toEqual([
    [1, "first"],
    [2, "good"],
  ]);
  expect([store.untagModel("unet", "good"), store.untagModel("unet", "good")]).toEqual([true, false]);
  store.removeModel(one);
  expect(store.query("SELECT count(*) FROM model_tags").rows).toEqual([[0]]);
});

test("a version is chosen by number, by tag, as the newest, or by a metric", () => {
  const store = testStore();
  train(store, "a", { dice: 0.7, loss: 0.3 });
  train(store, "b", { dice: 0.9 });
  train(store, "c", { dice: 0.9 });
  train(store, "d", { dice: 0.1, loss: 0.5 });
  const version = (choice: object) => store.model({ name: "unet", ...choice } as never).version;
  expect(version({ pick: "newest" })).toBe(4);
  expect(version({ pick: "version", version: 2 })).toBe(2);
  expect(version({ pick: "highest", metric: "dice" })).toBe(3);
  expect(version({ pick: "lowest", metric: "loss" })).toBe(1);
  const refused = (choice: object, hint: string) =>
    expect(() => version(choice)).toThrow(
      expect.objectContaining({ code: "WF_MODEL_NOT_FOUND", hint: expect.stringContaining(hint) }),
    );
  refused({ pick: "version", version: 9 }, "4, 3, 2, 1");
  refused({ pick: "tag", tag: "good" }, "Its tags are: none");
  refused({ pick: "highest", metric: "iou" }, "Its metrics are: dice, loss");
  refused({ name: "resnet", pick: "newest" }, "It has: unet");
  expect(() => testStore().model({ name: "unet", pick: "newest" })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('asModel("unet"') }),
  );
});

test("the runs that used a version are known by its content", () => {
  const store = testStore();
  train(store, "a");
  const [model] = store.models() as [NonNullable<ReturnType<Store["models"]>[number]>];
  expect(store.runsUsing(model.value)).toEqual([]);
  const run = store.createRun(newRun({ inputs: { model: model.value } }));
  expect(store.runsUsing(model.value)).toEqual([run]);
});

test("law: the number of a content is the place of its first appearance, whatever was removed in between", () => {
  const act = fc.record({ content: fc.constantFrom("a", "b", "c", "d"), removes: fc.boolean() });
  const store = testStore();
  const run = store.createRun(newRun());
  let models = 0;
  fc.assert(
    fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
      const name = `m${++models}`;
      const known = new Map<string, number>();
      let last = 0;
      for (const { content, removes } of acts) {
        const fact = { name, output: "o", value: file(content), splits: [], metrics: {} };
        const isNew = !known.has(content);
        if (isNew) known.set(content, ++last);
        expect(store.journal(run).registerModels([fact])).toMatchObject([{ version: known.get(content), isNew }]);
        if (removes) {
          store.removeModel(store.model({ name, pick: "version", version: known.get(content) as number }));
          known.delete(content);
        }
      }
      expect(store.models(name).map(({ version }) => version)).toEqual([...known.values()].sort((a, b) => b - a));
    }),
    cases(30),
  );
});
