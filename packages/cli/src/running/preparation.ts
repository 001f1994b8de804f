import { join } from "node:path";
import type { Capacity } from "@wf/backend";
import type { Graph, RuntimeWish, Value } from "@wf/core";
import { Importer, type ObjectStore } from "@wf/data";
import { type PlanRequest, planStages, type Resolved, type StagedCode, type StagePlan } from "@wf/planner";
import type { Clustering, NamedSite } from "@wf/site";
import { refuseNetworkFileSystem, Store } from "@wf/store";
import type { InputOptions } from "../command-options.ts";
import { findProject, type Project } from "../project.ts";
import { capacityOf } from "../sites/run-site.ts";
import { loadWorkflow } from "../workflow-file/load-workflow.ts";
import type { LoadedWorkflow } from "../workflow-file/loaded-workflow.ts";
import { contentOf } from "./damaged-content.ts";
import { givenParams } from "./given-params.ts";
import { holdContent } from "./hold-content.ts";
import { givenInputs, type ImportedInput, importInputs, inputSources } from "./import-inputs.ts";
import { type IsKept, knownTo } from "./known-results.ts";
import { clusteringOf, siteFor } from "./known-sites.ts";
import { modelInputs } from "./model-input.ts";
import { pythonProjects, wishesOf } from "./runtime-wishes.ts";
import { stageCode } from "./stage-code.ts";
import { resolveValue, valueOps } from "./value-ops.ts";

/** A workflow that is ready to be planned or run: built, checked against its site, its inputs in the store. */
export interface Preparation {
  readonly project: Project;
  readonly store: Store;
  readonly objects: ObjectStore;
  readonly loaded: LoadedWorkflow;
  readonly graph: Graph;
  readonly site: NamedSite;
  /** What one task may have; null where the site does not say. */
  readonly capacity: Capacity | null;
  readonly inputs: ReadonlyMap<string, ImportedInput>;
  readonly code: ReadonlyMap<string, readonly StagedCode[]>;
  readonly wishes: ReadonlyMap<string, RuntimeWish>;
  readonly plan: StagePlan;
}

export async function prepare(file: string, options: InputOptions, note: (text: string) => void): Promise<Preparation> {
  const project = findProject(file, options.store);
  refuseNetworkFileSystem(project.storeFolder);
  const loaded = await loadWorkflow(file, project);
  const { site, input, cluster } = options;
  return prepareLoaded(
    loaded,
    project,
    givenParams(options, loaded.workflow),
    { site, input, clustering: clusteringOf(cluster) },
    note,
  );
}

/** The same from a bundle that is already there, for saved plans. */
export async function prepareLoaded(
  loaded: LoadedWorkflow,
  project: Project,
  params: Readonly<Record<string, unknown>>,
  options: {
    readonly site: string | undefined;
    readonly clustering: Clustering | undefined;
    readonly input: readonly string[];
  },
  note: (text: string) => void,
): Promise<Preparation> {
  const named = givenInputs(options.input, loaded.workflow);
  const graph = loaded.workflow.toGraph(params, named.keys());
  const site = siteFor(project.root, options.site, options.clustering);
  const capacity = await capacityOf(site);
  const workflowFile = join(project.root, loaded.file);
  const sources = inputSources(graph, { named, workflowFile });
  const store = Store.open(project.storeFolder);
  try {
    await holdContent(store, note);
    const objects = contentOf(project.storeFolder, note);
    const models = modelInputs(graph, sources, { store, objects, workflowFile, note });
    const importer = new Importer(objects, store.hashCache);
    const projects = pythonProjects(graph, project.root);
    const wishes = wishesOf(projects);
    const code = await stageCode(graph, project.root, projects, importer);
    const plan = planStages({ graph, site, capacity, code, wishes, bundleHash: loaded.hash });
    const read = [...sources].filter(([, source]) => "path" in source).map(([name]) => name);
    if (read.length > 0) note(`reading ${read.join(", ")}`);
    const inputs = new Map([...models, ...(await importInputs(graph, sources, importer, objects))]);
    return { project, store, objects, loaded, graph, site, capacity, inputs, code, wishes, plan };
  } catch (error) {
    store.close();
    throw error;
  }
}

export function resolvedInputs(inputs: Iterable<readonly [string, Value]>): ReadonlyMap<string, Resolved> {
  return new Map([...inputs].map(([name, value]) => [name, resolveValue(value)]));
}

/** What a plan of it stands on. */
export function planRequest(prepared: Preparation, useCache: boolean, isKept: IsKept): PlanRequest {
  const { graph, site, capacity, code, wishes, loaded, objects, store, inputs } = prepared;
  return {
    graph,
    site,
    capacity,
    code,
    wishes,
    bundleHash: loaded.hash,
    useCache,
    inputs: resolvedInputs([...inputs].map(([name, { value }]) => [name, value])),
    ops: valueOps(objects),
    known: store.hasNoResults ? null : knownTo(store, objects, graph.workflow, isKept),
  };
}
