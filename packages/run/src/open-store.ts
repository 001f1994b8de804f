import { Store } from "@wf/store";
import { findProject } from "./project.ts";

export interface OpenStoreOptions {
  /** The folder of the store. Default: WF_STORE, else `.wf` in the project. */
  readonly store?: string;
  /** A folder of the project. Default: the working directory. */
  readonly project?: string;
}

/** What runs have left, to be looked at: nothing is changed by it. Close it when you have seen enough. */
export function openStore({ store, project = process.cwd() }: OpenStoreOptions = {}): Store {
  return Store.open(findProject(project, store).storeFolder, { readonly: true });
}
