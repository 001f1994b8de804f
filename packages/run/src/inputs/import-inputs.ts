import { dirname, resolve } from "node:path";
import type { Graph, GraphInput, Workflow } from "@wf/core";
import type { Importer, ObjectStore } from "@wf/data";
import { type Json, MODEL_FORMS, type ModelChoice, parseModelChoice, type Value, WfError } from "@wf/protocol";
import { readSmallFile } from "./small-file.ts";

export interface ImportedInput {
  /** Where it was found: a path, or `model:NAME@3`, as `--input` takes it. */
  readonly path: string;
  readonly value: Value;
}

/** A file or folder of the user, or a registered model. */
export type InputSource = { readonly path: string } | { readonly model: ModelChoice };

/** What `--input` calls a registered model. A file of such a name is meant by `./model:…`. */
export const MODEL_PREFIX = "model:";

export interface InputPlaces {
  /** `-i NAME=PATH`, relative to where `wf` was typed, or `-i NAME=model:…`. */
  readonly named: ReadonlyMap<string, string>;
  /** The workflow's own file: defaults are relative to it. */
  readonly workflowFile: string;
}

/** A name that the workflow does not know is refused. */
export function checkInputNames(
  named: ReadonlyMap<string, string>,
  { workflowName, inputs }: Pick<Workflow, "workflowName" | "inputs">,
): void {
  for (const name of named.keys()) {
    if (Object.hasOwn(inputs, name)) continue;
    throw new WfError("WF_INPUT_UNKNOWN", `the workflow "${workflowName}" has no input "${name}"`, {
      hint: `its inputs are: ${Object.keys(inputs).join(", ") || "none"}`,
    });
  }
}

/** Where each input of the graph comes from. */
export function inputSources(graph: Graph, { named, workflowFile }: InputPlaces): ReadonlyMap<string, InputSource> {
  const sources = new Map<string, InputSource>();
  for (const [name, { from, model }] of Object.entries(graph.inputs)) {
    const word = named.get(name);
    if (word?.startsWith(MODEL_PREFIX)) sources.set(name, { model: namedModel(name, word) });
    else if (word !== undefined) sources.set(name, { path: resolve(word) });
    else if (from !== undefined) sources.set(name, { path: resolve(dirname(workflowFile), from) });
    else if (model !== undefined) sources.set(name, { model });
    else {
      throw new WfError("WF_INPUT_MISSING", `input "${name}" of the workflow "${graph.workflow}" is not given`, {
        hint: `say where it lies: --input ${name}=PATH`,
      });
    }
  }
  return sources;
}

function namedModel(name: string, word: string): ModelChoice {
  const choice = parseModelChoice(word.slice(MODEL_PREFIX.length));
  if (choice !== undefined) return choice;
  throw new WfError("WF_USAGE", `--input ${name}=${word} names no model`, {
    hint: `write it as ${MODEL_FORMS} after ${MODEL_PREFIX}; a file of that name is ./${word}`,
  });
}

/** Hashes the files and folders among the inputs and brings them into the store, so that no task can touch the originals. */
export async function importInputs(
  graph: Graph,
  sources: ReadonlyMap<string, InputSource>,
  importer: Importer,
  objects: ObjectStore,
): Promise<ReadonlyMap<string, ImportedInput>> {
  const imported = new Map<string, ImportedInput>();
  for (const [name, source] of sources) {
    if (!("path" in source)) continue;
    const value = await importInput(name, graph.inputs[name] as GraphInput, source.path, importer, objects);
    imported.set(name, { path: source.path, value });
  }
  return imported;
}

async function importInput(
  name: string,
  { type }: GraphInput,
  path: string,
  importer: Importer,
  objects: ObjectStore,
): Promise<Value> {
  switch (type.kind) {
    case "file":
      return importer.importFile(path);
    case "directory":
      return importer.importDirectory(path);
    case "dataset": {
      const columns = Object.entries(type.columns).map(([column, { kind }]) => [
        column,
        kind === "file" ? "file" : "value",
      ]);
      return importer.importDataset(path, Object.fromEntries(columns));
    }
    case "json": {
      const value = readJson(name, path);
      const parsed = type.schema?.safeParse(value);
      if (parsed && !parsed.success) {
        throw new WfError("WF_INPUT_TYPE", `input "${name}": ${parsed.error.issues[0]?.message}`, {
          where: path,
          hint: "correct the file, or name another one with --input",
        });
      }
      return objects.putJson(value);
    }
  }
}

function readJson(name: string, path: string): Json {
  try {
    return JSON.parse(readSmallFile(path, "file or pipe")) as Json;
  } catch (cause) {
    throw new WfError("WF_INPUT_UNREADABLE", `input "${name}" cannot be read as JSON: ${(cause as Error).message}`, {
      where: path,
      hint: "correct the file, or name another one with --input",
      cause,
    });
  }
}
