import { showLine } from "@wf/core";
import { type Value, WfError } from "@wf/protocol";
import { HtcondorSettings, type NamedSite } from "@wf/site";
import { computeNodes, nameJobs, preparations, type Runtimes } from "./dag-nodes.ts";
import type { GatherDocument } from "./documents.ts";
import { type ExportedFile, exportFiles } from "./export-files.ts";
import { valuesOf } from "./formula.ts";
import { gatherDocument, type MissingOutput } from "./gather.ts";
import { type DagJob, dagJobs } from "./jobs.ts";
import type { LeftOutStage } from "./left-out.ts";
import { NodeNames } from "./node-names.ts";
import { type NodeContext, nodeTask } from "./node-task.ts";
import { readme } from "./readme.ts";
import { type StaticPartRequest, type StaticTask, staticPart } from "./static-part.ts";

export interface ExportRequest extends StaticPartRequest {
  readonly site: NamedSite;
  readonly context: NodeContext;
  readonly runtimes: Runtimes;
  /** Tries of every task, where it declares fewer. */
  readonly retries: number;
}

export interface ExportedDag {
  readonly files: readonly ExportedFile[];
  /** Content that goes with it. */
  readonly content: readonly Value[];
  readonly dagFile: string;
  readonly nodes: number;
  readonly tasks: number;
  /** Results that were known, and go with it as content. */
  readonly reused: number;
  /** Functions of the workflow that were called, since all that they read was known. */
  readonly called: number;
  readonly leftOut: readonly LeftOutStage[];
  /** Outputs of the workflow that only a run can make. */
  readonly missing: readonly MissingOutput[];
  /** Names of secrets that somebody has to give on the pool. */
  readonly secrets: readonly string[];
}

/** The static part of a plan as files for HTCondor's DAGMan, which need nothing of wf but the launcher beside them. */
export async function exportDagman(request: ExportRequest): Promise<ExportedDag> {
  const { graph, site, context, runtimes } = request;
  const { workflow } = graph;
  const part = await staticPart(request);
  refuseSeveralNodes(part.tasks);
  const jobs = dagJobs(part.tasks, (task) => nodeTask(task, context, runtimes.get(task.task.node.id)?.key));
  const { gather, missing } = gatherDocument(graph, part, jobs, (value) => context.artifacts.keep(value));
  const names = new NodeNames();
  const final = names.nameOf("gather");
  const prepared = preparations(jobs, runtimes, names);
  const named = nameJobs(jobs, names);
  const nodes = [...prepared.map(({ node }) => node), ...computeNodes(named, prepared, runtimes, request.retries)];
  const dag = `${workflow}.dag`;
  const secrets = secretsOf(jobs);
  const files = exportFiles({
    workflow,
    dag,
    nodes,
    jobs: named,
    prepared,
    gather,
    final,
    settings: site.htcondor ?? HtcondorSettings.parse({}),
    python: context.python,
    sitePython: site.python ?? null,
  });
  const text = readme({
    workflow,
    dag,
    nodes: nodes.length,
    tasks: part.tasks.length,
    outputs: Object.keys(gather.outputs),
    metrics: Object.keys(gather.metrics),
    leftOut: part.leftOut,
    secrets,
    isPreparing: prepared.length > 0,
  });
  return {
    files: [...files, { path: "README", text }],
    content: [...contentOf(jobs, gather)],
    dagFile: dag,
    nodes: nodes.length,
    tasks: part.tasks.length,
    reused: part.reused,
    called: part.called,
    leftOut: part.leftOut,
    missing,
    secrets,
  };
}

function refuseSeveralNodes(tasks: readonly StaticTask[]): void {
  for (const { task, stage } of tasks) {
    const { nodes } = stage.resources;
    if (nodes === 1) continue;
    throw new WfError("WF_RESOURCES", `it asks for ${nodes} nodes, and a job of HTCondor has one machine`, {
      where: `task "${task.node.id}"${task.node.at ? ` (${showLine(task.node.at)})` : ""}`,
      hint: "ask for more processes on one node",
    });
  }
}

function secretsOf(jobs: readonly DagJob[]): readonly string[] {
  const names = jobs.flatMap(({ tasks }) => tasks.flatMap(({ secretNames }) => Object.values(secretNames)));
  return [...new Set(names)].sort();
}

function* contentOf(jobs: readonly DagJob[], { outputs, metrics }: GatherDocument): Generator<Value> {
  for (const { inputs, later } of jobs.flatMap(({ tasks }) => tasks)) {
    for (const { value } of inputs) yield value;
    for (const { from } of Object.values(later.inputs)) yield* valuesOf(from);
    for (const formula of Object.values(later.params)) yield* valuesOf(formula);
  }
  for (const formula of [...Object.values(outputs), ...Object.values(metrics)]) yield* valuesOf(formula);
}
