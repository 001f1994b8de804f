import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Graph, GraphInput } from "@wf/core";
import type { ObjectStore } from "@wf/data";
import { type ModelChoice, WfError } from "@wf/protocol";
import type { ModelVersion, Store } from "@wf/store";
import { isThere } from "../planning/known-results.ts";
import { shortPath } from "../short-path.ts";
import { type ImportedInput, type InputSource, MODEL_PREFIX } from "./import-inputs.ts";
import { readSmallFile } from "./small-file.ts";

export interface ModelShelf {
  readonly store: Store;
  readonly objects: ObjectStore;
  /** The workflow that asks: one that registers the model most often lies beside it. */
  readonly workflowFile: string;
  /** Says which version was chosen. */
  readonly note: (text: string) => void;
}

/** The registered models among the inputs of a workflow. */
export function modelInputs(
  graph: Graph,
  sources: ReadonlyMap<string, InputSource>,
  shelf: ModelShelf,
): ReadonlyMap<string, ImportedInput> {
  const found = new Map<string, ImportedInput>();
  for (const [name, source] of sources) {
    if ("model" in source) found.set(name, modelInput(name, graph.inputs[name] as GraphInput, source.model, shelf));
  }
  return found;
}

/** The registered model that an input of a workflow is. */
export function modelInput(
  name: string,
  input: GraphInput,
  choice: ModelChoice,
  { store, objects, workflowFile, note }: ModelShelf,
): ImportedInput {
  if (store.models(choice.name).length === 0) throw unregistered(name, choice.name, workflowFile);
  const version = store.model(choice);
  const { model, value, run } = version;
  const shown = `${model}@${version.version}`;
  if (value.kind !== input.type.kind) {
    throw new WfError("WF_INPUT_TYPE", `input "${name}" wants a ${input.type.kind}, and ${shown} is a ${value.kind}`, {
      hint: "name another model, or change the type that the workflow declares",
    });
  }
  refuseTestData(name, input, version);
  if (!isThere(objects, { [name]: value }, (hash, size) => objects.isIntact(hash, size))) {
    throw new WfError("WF_ARTIFACT_MISSING", `the content of model ${shown} is gone from the store`, {
      where: store.folder,
      hint: `run the workflow "${version.lineage.workflow}" again (${version.lineage.file}), or name another version`,
    });
  }
  note(`${name} is ${shown}, made by ${run}`);
  return { path: `${MODEL_PREFIX}${shown}`, value };
}

/** Law: train and test do not mix, not by way of a model either. */
function refuseTestData(name: string, { splits }: GraphInput, { model, version, lineage }: ModelVersion): void {
  if (splits.includes("unsplit") || splits.includes("test") || !lineage.splits.includes("test")) return;
  throw new WfError(
    "WF_SPLIT_RELABEL",
    `input "${name}" takes ${splits.join(" and ") || "reference material"}, and ${model}@${version} is made from test data`,
    { hint: `name another version: wf models ${model}` },
  );
}

function unregistered(name: string, model: string, workflowFile: string): WfError {
  const makers = workflowsThatRegister(model, dirname(workflowFile));
  const run = makers.map((file) => `wf run ${shortPath(file)}`).join(", or ");
  const other = `name a file instead: --input ${name}=PATH`;
  return new WfError("WF_MODEL_NOT_FOUND", `no run has registered the model "${model}" yet, which input "${name}" is`, {
    hint:
      makers.length > 0
        ? `make it first: ${run}; or ${other}`
        : `run the workflow whose build() returns asModel("${model}", …), or ${other}`,
  });
}

/** By their text: to load every workflow would cost seconds, and one that is broken is not ours to tell of. */
function workflowsThatRegister(model: string, folder: string): string[] {
  const call = new RegExp(`\\basModel\\(\\s*["'\`]${model}["'\`]`);
  return readdirSync(folder)
    .filter((file) => /\.[cm]?ts$/.test(file))
    .map((file) => join(folder, file))
    .filter((file) => call.test(textOf(file)));
}

function textOf(file: string): string {
  try {
    return readSmallFile(file);
  } catch {
    return "";
  }
}
