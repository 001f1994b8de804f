import { findProject } from "@wf/run";
import { Store } from "@wf/store";
import type { GlobalOptions } from "../command-options.ts";

export interface WithStoreOptions {
  /** Default true: a command that looks changes nothing. */
  readonly isReadonly?: boolean;
}

/** Opens the store that the command line means, and closes it however the work ends. It must exist. */
export async function withStore<T>(
  options: Pick<GlobalOptions, "store">,
  work: (store: Store) => T | Promise<T>,
  { isReadonly = true }: WithStoreOptions = {},
): Promise<T> {
  const { storeFolder } = findProject(process.cwd(), options.store);
  let store = Store.open(storeFolder, { readonly: true });
  if (!isReadonly) {
    store.close();
    store = Store.open(storeFolder);
  }
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
