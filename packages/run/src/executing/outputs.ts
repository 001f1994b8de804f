import { mkdirSync } from "node:fs";
import type { Graph } from "@wf/core";
import { checkedName, materialise, type ObjectStore, pathIn, valueStats } from "@wf/data";
import type { Resolved } from "@wf/planner";
import { isPlainName, type Json, localRunFolder, sha256, type Value } from "@wf/protocol";
import { keepValue } from "../planning/value-ops.ts";
import type { OutputSummary } from "./run-event.ts";

export interface RunOutputs {
  readonly values: Readonly<Record<string, Value>>;
  readonly metrics: Readonly<Record<string, Json>>;
  readonly summaries: Readonly<Record<string, OutputSummary>>;
}

export interface OutputsPlace {
  readonly objects: ObjectStore;
  readonly folder: string;
  /** Whose outputs they are. */
  readonly run: string;
  /** Brings content here that lies elsewhere. */
  bring(values: readonly Value[]): Promise<void>;
}

/** Puts the outputs of a run where a person finds them, as copies: nobody can damage the store through them. */
export async function writeOutputs(
  graph: Graph,
  resolve: (name: string) => Resolved,
  { objects, folder, run, bring }: OutputsPlace,
): Promise<RunOutputs> {
  const values: Record<string, Value> = {};
  const metrics: Record<string, Json> = {};
  const summaries: Record<string, OutputSummary> = {};
  const writer = sha256(run).slice(0, 12);
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
      await materialise(value, summary.path, objects, { writer });
    }
    summaries[name] = summary;
  }
  return { values, metrics, summaries };
}

/** How an output is told, and where in the folder it lies. */
export function summariseOutput(name: string, value: Value, folder: string): OutputSummary {
  if (value.kind === "absent") return { kind: value.kind };
  const path = pathIn(folder, nameOf(name, value));
  if (value.kind === "json") return { kind: value.kind, path, value: value.value };
  const { files, bytes } = valueStats(value);
  if (value.kind === "file") return { kind: value.kind, path, sizeBytes: bytes };
  return { kind: value.kind, path, files, sizeBytes: bytes, ...(value.kind === "dataset" ? { rows: value.rows } : {}) };
}

/** Where the outputs of a run lie if nobody named a folder. */
export function outputFolder(storage: string, run: string): string {
  return localRunFolder(storage, run).outputs;
}

/** The output's own name, with the ending of the file that the task wrote where a name can be so long. */
function nameOf(output: string, value: Value): string {
  if (value.kind === "json") return `${output}.json`;
  if (value.kind !== "file") return output;
  const name = checkedName(value.name);
  const dot = name.indexOf(".", 1);
  const whole = dot > 0 ? output + name.slice(dot) : output;
  return isPlainName(whole) ? whole : output;
}
