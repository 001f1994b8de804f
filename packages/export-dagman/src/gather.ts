import type { Graph } from "@wf/core";
import type { Resolved } from "@wf/planner";
import type { Value } from "@wf/protocol";
import { DAG_VERSION, type Formula, type GatherDocument } from "./documents.ts";
import { formulaOf, tasksOf, untellable } from "./formula.ts";
import type { DagJob } from "./jobs.ts";
import type { StaticPart } from "./static-part.ts";

export interface MissingOutput {
  readonly name: string;
  /** What it stands on. */
  readonly because: string;
}

/** What is put together at the end: the workflow's outputs as far as they are static, and else what the DAG ends in. */
export function gatherDocument(
  graph: Graph,
  part: StaticPart,
  jobs: readonly DagJob[],
  keep: (value: Resolved) => Value,
): { readonly gather: GatherDocument; readonly missing: readonly MissingOutput[] } {
  const outputs: Record<string, Formula> = {};
  const metrics: Record<string, Formula> = {};
  const missing: MissingOutput[] = [];
  for (const [name, { kind }] of Object.entries(graph.outputs)) {
    const value = part.output(name);
    const because = untellable(value);
    if (because !== undefined) missing.push({ name, because });
    else (kind === "metric" ? metrics : outputs)[name] = formulaOf(value, keep);
  }
  if (missing.length > 0) Object.assign(outputs, ends(jobs, Object.values(outputs)));
  const tasks = jobs.flatMap((job) => job.tasks.map(({ task }) => task));
  return { gather: { version: DAG_VERSION, run: graph.workflow, tasks, outputs, metrics }, missing };
}

/** All outputs of the tasks that nothing else of the DAG is made of: what is left out would go on from them. */
function ends(jobs: readonly DagJob[], outputs: readonly Formula[]): Record<string, Formula> {
  const waitedFor = new Set(jobs.flatMap(({ after }) => [...after]));
  for (const formula of outputs) tasksOf(formula, waitedFor);
  const last = jobs.flatMap(({ tasks }) => tasks).filter(({ task }) => !waitedFor.has(task));
  return Object.fromEntries(
    last.flatMap(({ task, outputs }) =>
      outputs.map(({ name }): [string, Formula] => [`tasks/${task}/${name}`, { op: "output", task, name }]),
    ),
  );
}
