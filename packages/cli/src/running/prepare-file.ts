import { clusteringOf, findProject, loadWorkflow, type Preparation, prepare } from "@wf/run";
import { refuseNetworkFileSystem } from "@wf/store";
import type { InputOptions } from "../command-options.ts";
import { givenParams, nameAndText } from "./given-params.ts";

/** Loads a workflow's file and prepares it as the command line says. */
export async function prepareFile(
  file: string,
  options: InputOptions,
  note: (text: string) => void,
): Promise<Preparation> {
  const project = findProject(file, options.store);
  refuseNetworkFileSystem(project.storeFolder);
  const loaded = await loadWorkflow(file, project);
  const { site, input, cluster } = options;
  const params = givenParams(options, loaded.workflow);
  const inputs = new Map(input.map((word) => nameAndText(word, "--input", "images=data/images")));
  return prepare(loaded, project, { params, inputs, site, clustering: clusteringOf(cluster) }, note);
}
