import type { Json } from "@wf/protocol";
import { checkSecrets } from "../planning/check-secrets.ts";
import { jobsToWaitFor } from "../planning/jobs-to-wait-for.ts";
import type { Preparation } from "../planning/preparation.ts";
import type { RunSettings } from "../planning/run-settings.ts";
import { gitState } from "./git-state.ts";
import { makeOutputsFolder } from "./outputs-folder.ts";
import type { StartedRun } from "./started-run.ts";

export interface StartOptions {
  readonly keepGoing?: boolean;
  readonly retries?: number;
  /** False: every task runs, whatever earlier runs have made. */
  readonly cache: boolean;
  readonly outputs?: string;
  readonly after: readonly string[];
}

/** Stores a run before anything of it happens. What cannot be carried out is refused before that. */
export async function startRun(
  prepared: Preparation,
  options: StartOptions,
  note: (text: string) => void,
): Promise<StartedRun> {
  const { store, objects, loaded, graph, site, runSite, code, wishes, project, plan } = prepared;
  checkSecrets(graph, process.env);
  const after = jobsToWaitFor(options.after, site);
  for (const stage of plan.stages.values()) for (const warning of stage.warnings) note(warning);
  const inputs = Object.fromEntries([...prepared.inputs].map(([name, { value }]) => [name, value]));
  const settings: RunSettings = {
    keepGoing: options.keepGoing === true,
    retries: options.retries ?? 0,
    useCache: options.cache,
    outputs: options.outputs === undefined ? null : makeOutputsFolder(options.outputs),
    after: [...after],
    site: runSite,
    code: Object.fromEntries([...code].map(([stage, files]) => [stage, [...files]])),
    wishes: Object.fromEntries(wishes),
  };
  const run = store.createRun({
    workflow: { name: graph.workflow, file: loaded.file, hash: loaded.hash, source: loaded.bundle },
    params: graph.params as Json,
    inputs,
    site: site.name,
    options: settings as unknown as Json,
    plan: stagesOf(plan) as Json,
    git: await gitState(project.root),
  });
  const journal = store.journal(run);
  journal.atomically(() => {
    let position = 0;
    for (const [stage, { node, resources }] of plan.stages) {
      const { name: task, fits } = node.declaration;
      journal.stage({ stage, task, fits, resources: resources as unknown as Json, position: position++ });
    }
    plan.stageGraph.graph.forEachEdge((_edge, _attributes, from, to) => journal.edge(from, to));
  });
  return { run, settings, store, objects, graph, plan, inputs, bundleHash: loaded.hash, siteName: site.name };
}

function stagesOf(plan: Preparation["plan"]): unknown {
  return [...plan.stages].map(([stage, { resources, tasksPerJob, rank }]) => ({ stage, resources, tasksPerJob, rank }));
}
