import type { Graph, RuntimeWish, Value } from "@wf/core";
import type { NamedSite } from "@wf/site";
import { HtcondorSettings } from "@wf/site";
import { type DagNode, dagFile } from "./dag-file.ts";
import { DAG_VERSION, type GatherDocument, type NodeDocument, type WishDocument } from "./documents.ts";
import { valuesOf } from "./formula.ts";
import { gatherDocument, type MissingOutput } from "./gather.ts";
import { type DagJob, dagJobs, resourcesOf } from "./jobs.ts";
import type { LeftOutStage } from "./left-out.ts";
import { NodeNames } from "./node-names.ts";
import { nodeScript } from "./node-script.ts";
import { type NodeContext, nodeTask } from "./node-task.ts";
import { readme } from "./readme.ts";
import { type StaticPartRequest, staticPart } from "./static-part.ts";
import { submitDescription } from "./submit-description.ts";

export interface ExportRequest extends StaticPartRequest {
  readonly site: NamedSite;
  readonly context: NodeContext;
  /** What the Python of a stage must offer, and the key of such a runtime. */
  readonly runtimes: ReadonlyMap<string, { readonly key: string; readonly wish: RuntimeWish }>;
  /** Tries of every task beyond what it declares. */
  readonly retries: number;
}

export interface ExportedFile {
  readonly path: string;
  readonly text: string;
  readonly isProgram?: boolean;
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
  readonly leftOut: readonly LeftOutStage[];
  /** Outputs of the workflow that only a run can make. */
  readonly missing: readonly MissingOutput[];
  /** Names of secrets that somebody has to give on the pool. */
  readonly secrets: readonly string[];
}

const GATHER = "gather";

/** The static part of a plan as files for HTCondor's DAGMan, which need nothing of wf but the launcher beside them. */
export function exportDagman(request: ExportRequest): ExportedDag {
  const { graph, site, context, runtimes } = request;
  const settings = site.htcondor ?? HtcondorSettings.parse({});
  const part = staticPart(request);
  const jobs = dagJobs(part.tasks, (task) => nodeTask(task, context, runtimes.get(task.task.node.id)?.key));
  const { gather, missing } = gatherDocument(graph, part, jobs, (value) => context.artifacts.keep(value));
  const names = new NodeNames();
  const final = names.nameOf(GATHER);
  const prepares = preparations(jobs, runtimes, names);
  const named = jobs.map((job) => ({ job, name: names.nameOf((job.tasks[0] as { task: string }).task) }));
  const nodes = [...prepares.map(({ node }) => node), ...computeNodes(named, prepares, runtimes, request.retries)];
  const dag = `${graph.workflow}.dag`;
  const secrets = secretsOf(jobs);
  const stages = [...new Map(jobs.map((job) => [job.stage.node.id, job])).values()];
  const base = { settings, cpus: 1, memoryBytes: 0, gpus: 0 };
  const files: ExportedFile[] = [
    {
      path: dag,
      text: dagFile({
        workflow: graph.workflow,
        nodes,
        final: { name: final, description: "gather.sub" },
        statusFile: `${graph.workflow}.status`,
        configFile: "dagman.config",
      }),
    },
    { path: "dagman.config", text: `DAGMAN_MAX_JOBS_SUBMITTED = ${settings.limits.jobs}\n` },
    { path: "node.sh", text: nodeScript(settings, context.python), isProgram: true },
    {
      path: "gather.sub",
      text: submitDescription({
        ...base,
        does: "At the end: puts the results into outputs/, and says in report.txt what happened.",
        universe: "vanilla",
        words: ["gather"],
      }).replaceAll("$(node)", final),
    },
    { path: "gather.json", text: json(gather) },
    ...stages.map((job) => ({
      path: descriptionOf(job),
      text: submitDescription({
        ...base,
        ...resourcesOf(job),
        does: `The jobs of ${job.stage.node.id}.`,
        universe: "vanilla",
        words: ["run", "$(node)"],
      }),
    })),
    ...prepares.flatMap(({ node, key, wish }) => [
      { path: `runtimes/${key}.json`, text: json({ ...wish, python: site.python ?? null } satisfies WishDocument) },
      {
        path: node.description,
        text: submitDescription({
          ...base,
          does: `Makes a Python ready, on the machine that submits: ${wish.requirements.join(", ")}`,
          universe: "local",
          words: ["prepare", key],
        }),
      },
    ]),
    ...named.map(({ job, name }) => ({
      path: `nodes/${name}.json`,
      text: json(nodeDocument(graph, job, name)),
    })),
    {
      path: "README",
      text: readme({
        workflow: graph.workflow,
        dag,
        nodes: nodes.length,
        tasks: part.tasks.length,
        outputs: Object.keys(gather.outputs),
        metrics: Object.keys(gather.metrics),
        leftOut: part.leftOut,
        secrets,
        isPreparing: prepares.length > 0,
      }),
    },
  ];
  return {
    files,
    content: [...contentOf(jobs, gather)],
    dagFile: dag,
    nodes: nodes.length,
    tasks: part.tasks.length,
    reused: part.reused,
    leftOut: part.leftOut,
    missing,
    secrets,
  };
}

interface Preparation {
  readonly node: DagNode;
  readonly key: string;
  readonly wish: RuntimeWish;
}

function preparations(
  jobs: readonly DagJob[],
  runtimes: ExportRequest["runtimes"],
  names: NodeNames,
): readonly Preparation[] {
  const wanted = new Map<string, { readonly wish: RuntimeWish; priority: number }>();
  for (const { stage } of jobs) {
    const runtime = runtimes.get(stage.node.id);
    if (!runtime) continue;
    const known = wanted.get(runtime.key) ?? { wish: runtime.wish, priority: 0 };
    known.priority = Math.max(known.priority, stage.rank + 1);
    wanted.set(runtime.key, known);
  }
  return [...wanted].map(([key, { wish, priority }], index) => ({
    key,
    wish,
    node: {
      name: names.nameOf(wanted.size === 1 ? "prepare" : `prepare-${index + 1}`),
      description: `stages/prepare.${key}.sub`,
      parents: [],
      retries: 0,
      priority,
    },
  }));
}

function computeNodes(
  named: readonly { readonly job: DagJob; readonly name: string }[],
  prepares: readonly Preparation[],
  runtimes: ExportRequest["runtimes"],
  retries: number,
): DagNode[] {
  const nodeOf = new Map(named.flatMap(({ job, name }) => job.tasks.map(({ task }) => [task, name] as const)));
  return named.map(({ job, name }) => {
    const { node, rank } = job.stage;
    const runtime = prepares.find(({ key }) => key === runtimes.get(node.id)?.key);
    const parents = new Set([...job.after].map((task) => nodeOf.get(task) as string));
    if (runtime) parents.add(runtime.node.name);
    return {
      name,
      description: descriptionOf(job),
      parents: [...parents],
      retries: Math.max(node.declaration.retries, retries),
      priority: rank,
    };
  });
}

function descriptionOf({ stage }: DagJob): string {
  return `stages/${stage.node.id}.sub`;
}

function nodeDocument({ workflow }: Graph, job: DagJob, name: string): NodeDocument {
  const memoryBytes = Math.max(...job.tasks.map((task) => task.memoryBytes));
  return { version: DAG_VERSION, run: workflow, job: name, ...resourcesOf(job), memoryBytes, tasks: job.tasks };
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

function json(document: unknown): string {
  return `${JSON.stringify(document, null, 1)}\n`;
}
