import type { Json } from "@wf/core";
import type { Preparation } from "../planning/preparation.ts";
import type { RunSettings } from "../planning/run-settings.ts";
import { runSite } from "../sites/run-site.ts";
import { gitState } from "./git-state.ts";

export interface StartOptions {
  readonly keepGoing?: boolean;
  readonly retries?: number;
  /** False: every task runs, whatever earlier runs have made. */
  readonly cache: boolean;
  readonly outputs?: string;
  readonly after: readonly string[];
}

/** Stores a run before anything of it happens, and returns its name. */
export async function startRun(
  prepared: Preparation,
  options: StartOptions,
): Promise<{ readonly run: string; readonly settings: RunSettings }> {
  const { store, loaded, graph, site, capacity, inputs, code, wishes, project, plan } = prepared;
  const settings: RunSettings = {
    keepGoing: options.keepGoing === true,
    retries: options.retries ?? 0,
    useCache: options.cache,
    outputs: options.outputs ?? null,
    after: [...options.after],
    site: runSite(site, capacity),
    code: Object.fromEntries([...code].map(([stage, files]) => [stage, [...files]])),
    wishes: Object.fromEntries(wishes),
  };
  const run = store.createRun({
    workflow: { name: graph.workflow, file: loaded.file, hash: loaded.hash, source: loaded.bundle },
    params: graph.params as Json,
    inputs: Object.fromEntries([...inputs].map(([name, { value }]) => [name, value])),
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
  return { run, settings };
}

function stagesOf(plan: Preparation["plan"]): unknown {
  return [...plan.stages].map(([stage, { resources, tasksPerJob, rank }]) => ({ stage, resources, tasksPerJob, rank }));
}
