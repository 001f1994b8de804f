import type { Graph } from "@wf/core";
import { LOCAL_SITE } from "@wf/site";
import type { Known, KnownResult } from "./passes/reuse.ts";
import { type PlanRequest, planLines } from "./plan.ts";
import { PlanLine } from "./plan-document.ts";
import { MemoryValues } from "./test-value-ops.ts";

/** A request for a plan on this machine, where nothing is known. */
export function requestFor(graph: Graph, changes: Partial<PlanRequest> = {}): PlanRequest {
  return {
    graph,
    site: LOCAL_SITE,
    capacity: { cpus: 4, memoryBytes: 8e9, gpus: 0 },
    inputs: new Map(),
    code: new Map(),
    bundleHash: "bundle",
    ops: new MemoryValues(),
    known: { cached: () => undefined },
    useCache: true,
    ...changes,
  };
}

/** What earlier runs left behind, by the key of the task. */
export function knownFrom(results: ReadonlyMap<string, KnownResult>): Known {
  return { cached: (key) => results.get(key) };
}

/** The lines of a plan, each as it is after it was written and read again. */
export function planOf(request: PlanRequest): PlanLine[] {
  return [...planLines(request)].map((line) => PlanLine.parse(JSON.parse(JSON.stringify(line))));
}

export function linesOf<T extends PlanLine["type"]>(lines: readonly PlanLine[], type: T) {
  return lines.filter((line): line is Extract<PlanLine, { type: T }> => line.type === type);
}
