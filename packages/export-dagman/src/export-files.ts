import type { HtcondorSettings } from "@wf/site";
import { type DagNode, dagFile } from "./dag-file.ts";
import { descriptionOf, type NamedJob, type Preparation } from "./dag-nodes.ts";
import { DAG_VERSION, type GatherDocument, type NodeDocument, type WishDocument } from "./documents.ts";
import { type DagJob, resourcesOf } from "./jobs.ts";
import { nodeScript } from "./node-script.ts";
import { submitDescription } from "./submit-description.ts";

export interface ExportedFile {
  readonly path: string;
  readonly text: string;
  readonly isProgram?: boolean;
}

export interface ExportToWrite {
  readonly workflow: string;
  readonly dag: string;
  readonly nodes: readonly DagNode[];
  readonly jobs: readonly NamedJob[];
  readonly prepared: readonly Preparation[];
  readonly gather: GatherDocument;
  /** The name of the last node. */
  readonly final: string;
  readonly settings: HtcondorSettings;
  /** The interpreter that runs the launcher. */
  readonly python: string;
  /** The one that the site names for tasks. */
  readonly sitePython: string | null;
}

const NOTHING = { cpus: 1, memoryBytes: 0, diskBytes: 0, gpus: 0, graceSeconds: 0 };

/** Everything but content, the launcher and the README. */
export function exportFiles(wanted: ExportToWrite): readonly ExportedFile[] {
  const { workflow, settings } = wanted;
  return [
    {
      path: wanted.dag,
      text: dagFile({
        workflow,
        nodes: wanted.nodes,
        final: { name: wanted.final, description: "gather.sub" },
        statusFile: `${workflow}.status`,
        configFile: "dagman.config",
      }),
    },
    { path: "dagman.config", text: `DAGMAN_MAX_JOBS_SUBMITTED = ${settings.limits.jobs}\n` },
    { path: "node.sh", text: nodeScript(settings, wanted.python), isProgram: true },
    {
      path: "gather.sub",
      text: submitDescription({
        ...NOTHING,
        settings,
        does: "At the end: puts the results into outputs/, and says in report.txt what happened.",
        universe: "vanilla",
        node: wanted.final,
        words: ["gather"],
      }),
    },
    { path: "gather.json", text: json(wanted.gather) },
    ...stageFiles(wanted),
    ...wanted.prepared.flatMap((one) => preparationFiles(one, wanted)),
    ...wanted.jobs.map((job) => ({ path: `nodes/${job.name}.json`, text: json(nodeDocument(workflow, job)) })),
  ];
}

function stageFiles({ jobs, settings }: ExportToWrite): ExportedFile[] {
  const largest = new Map<string, DagJob>();
  for (const { job } of jobs) {
    const { id } = job.stage.node;
    if (job.tasks.length > (largest.get(id)?.tasks.length ?? 0)) largest.set(id, job);
  }
  return [...largest].map(([stage, job]) => {
    const diskBytes = job.tasks.length * job.stage.resources.diskBytes;
    const graceSeconds = Math.max(...job.tasks.map((task) => task.graceSeconds));
    const asked = { ...resourcesOf(job), diskBytes, graceSeconds, settings };
    const does = `The jobs of ${stage}.`;
    return {
      path: descriptionOf(job),
      text: submitDescription({ ...asked, does, universe: "vanilla", node: "$(node)", words: ["run", "$(node)"] }),
    };
  });
}

function preparationFiles({ node, key, wish }: Preparation, { settings, sitePython }: ExportToWrite): ExportedFile[] {
  return [
    { path: `runtimes/${key}.json`, text: json({ ...wish, python: sitePython } satisfies WishDocument) },
    {
      path: node.description,
      text: submitDescription({
        ...NOTHING,
        settings,
        does: `Makes a Python ready, on the machine that submits: ${wish.requirements.join(", ")}`,
        universe: "local",
        node: "$(node)",
        words: ["prepare", key],
      }),
    },
  ];
}

function nodeDocument(workflow: string, { job, name }: NamedJob): NodeDocument {
  const memoryBytes = Math.max(...job.tasks.map((task) => task.memoryBytes));
  return { version: DAG_VERSION, run: workflow, job: name, ...resourcesOf(job), memoryBytes, tasks: job.tasks };
}

function json(document: unknown): string {
  return `${JSON.stringify(document, null, 1)}\n`;
}
