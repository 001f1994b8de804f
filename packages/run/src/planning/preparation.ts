import { join } from "node:path";
import type { Capacity } from "@wf/backend";
import type { Graph } from "@wf/core";
import { Importer, type ObjectStore } from "@wf/data";
import type { PlanRequest, Resolved, StagedCode, StagePlan } from "@wf/planner";
import type { RuntimeWish, Value } from "@wf/protocol";
import type { Clustering, NamedSite } from "@wf/site";
import { Store } from "@wf/store";
import { checkInputNames, type ImportedInput, importInputs, inputSources } from "../inputs/import-inputs.ts";
import { modelInputs } from "../inputs/model-input.ts";
import { pythonProjects, wishesOf } from "../inputs/runtime-wishes.ts";
import { stageCode } from "../inputs/stage-code.ts";
import type { Project } from "../project.ts";
import { capacityOf, runSite } from "../sites/run-site.ts";
import type { LoadedWorkflow } from "../workflow-file/loaded-workflow.ts";
import { contentOf } from "./damaged-content.ts";
import { holdContent } from "./hold-content.ts";
import { type IsKept, knownTo } from "./known-results.ts";
import { siteFor } from "./known-sites.ts";
import { planForSite } from "./plan-for-site.ts";
import type { RunSite } from "./run-settings.ts";
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
  /** The site as the store keeps it with a run. */
  readonly runSite: RunSite;
  readonly inputs: ReadonlyMap<string, ImportedInput>;
  readonly code: ReadonlyMap<string, readonly StagedCode[]>;
  readonly wishes: ReadonlyMap<string, RuntimeWish>;
  readonly plan: StagePlan;
}

/** What a plan is made for. */
export interface PlanSettings {
  readonly params: Readonly<Record<string, unknown>>;
  /** Paths relative to the working directory, or `model:NAME`. */
  readonly inputs: ReadonlyMap<string, string>;
  readonly site: string | undefined;
  readonly clustering: Clustering | undefined;
}

export async function prepare(
  loaded: LoadedWorkflow,
  project: Project,
  { params, inputs: named, site: siteName, clustering }: PlanSettings,
  note: (text: string) => void,
): Promise<Preparation> {
  checkInputNames(named, loaded.workflow);
  const graph = loaded.workflow.toGraph(params, named.keys());
  const site = siteFor(project.root, siteName, clustering);
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
    const kept = runSite(site, capacity);
    const plan = planForSite({ graph, siteName: site.name, site: kept, code, wishes, bundleHash: loaded.hash });
    const read = [...sources].filter(([, source]) => "path" in source).map(([name]) => name);
    if (read.length > 0) note(`reading ${read.join(", ")}`);
    const inputs = new Map([...models, ...(await importInputs(graph, sources, importer, objects))]);
    return { project, store, objects, loaded, graph, site, capacity, runSite: kept, inputs, code, wishes, plan };
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
