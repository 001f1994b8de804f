import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Graph, Json, Value } from "@wf/core";
import { materialise, type ObjectStore, valueStats } from "@wf/data";
import type { Resolved } from "@wf/planner";
import type { OutputSummary } from "../view/run-view.ts";
import { keepValue } from "./value-ops.ts";

export interface RunOutputs {
  readonly values: Readonly<Record<string, Value>>;
  readonly metrics: Readonly<Record<string, Json>>;
  readonly summaries: Readonly<Record<string, OutputSummary>>;
}

export interface OutputsPlace {
  readonly objects: ObjectStore;
  readonly folder: string;
  /** Brings content here that lies elsewhere. */
  bring(values: readonly Value[]): Promise<void>;
}

/** Puts the outputs of a run where a person finds them, as copies: nobody can damage the store through them. */
export async function writeOutputs(
  graph: Graph,
  resolve: (name: string) => Resolved,
  { objects, folder, bring }: OutputsPlace,
): Promise<RunOutputs> {
  const values: Record<string, Value> = {};
  const metrics: Record<string, Json> = {};
  const summaries: Record<string, OutputSummary> = {};
  mkdirSync(folder, { recursive: true });
  for (const [name, output] of Object.entries(graph.outputs)) {
    const resolved = resolve(name);
    if (output.kind === "metric") {
      metrics[name] = resolved.kind === "json" ? resolved.value : null;
      continue;
    }
    const value = keepValue(objects, resolved);
    values[name] = value;
    const summary = summariseOutput(name, value, folder);
    if (summary.path !== undefined) {
      await bring([value]);
      await materialise(value, summary.path, objects);
    }
    summaries[name] = summary;
  }
  return { values, metrics, summaries };
}

/** How an output is told, and where in the folder it lies. */
export function summariseOutput(name: string, value: Value, folder: string): OutputSummary {
  if (value.kind === "absent") return { kind: value.kind };
  const path = join(folder, `${name}${endingOf(value)}`);
  if (value.kind === "json") return { kind: value.kind, path, value: value.value };
  const { files, bytes } = valueStats(value);
  if (value.kind === "file") return { kind: value.kind, path, sizeBytes: bytes };
  return { kind: value.kind, path, files, sizeBytes: bytes, ...(value.kind === "dataset" ? { rows: value.rows } : {}) };
}

/** Where the outputs of a run lie if nobody named a folder. */
export function outputFolder(storage: string, run: string): string {
  return join(storage, "runs", run, "outputs");
}

function endingOf(value: Value): string {
  if (value.kind === "json") return ".json";
  const dot = value.kind === "file" ? value.name.indexOf(".", 1) : -1;
  return value.kind === "file" && dot > 0 ? value.name.slice(dot) : "";
}
