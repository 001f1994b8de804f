import type { Workflow } from "@wf/core";
import { refuseNetworkFileSystem } from "@wf/store";
import { findProject } from "../project.ts";
import type { PlanOptions } from "../run-options.ts";
import { loadWorkflow } from "../workflow-file/load-workflow.ts";
import { clusteringOf } from "./known-sites.ts";
import { type Preparation, prepare } from "./preparation.ts";

export interface FileSettings {
  /** What the workflow is given, which may depend on what it takes. */
  readonly params: (workflow: Workflow) => Readonly<Record<string, unknown>>;
  readonly inputs: ReadonlyMap<string, string>;
  readonly site?: string | undefined;
  readonly tasksPerJob?: number | undefined;
  readonly store?: string | undefined;
}

export function fileSettings({ params = {}, inputs = {}, site, tasksPerJob, store }: PlanOptions): FileSettings {
  return { params: () => params, inputs: new Map(Object.entries(inputs)), site, tasksPerJob, store };
}

/** Loads a workflow's file and prepares it for a site. The caller closes its store. */
export async function prepareFile(
  file: string,
  { params, inputs, site, tasksPerJob, store }: FileSettings,
  note: (text: string) => void,
): Promise<Preparation> {
  const project = findProject(file, store);
  refuseNetworkFileSystem(project.storeFolder);
  const loaded = await loadWorkflow(file, project);
  const settings = { params: params(loaded.workflow), inputs, site, clustering: clusteringOf(tasksPerJob) };
  return await prepare(loaded, project, settings, note);
}
