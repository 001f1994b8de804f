import { ObjectStore } from "@wf/data";

/** The content of a store, for who builds on it: what turns out to be damaged is named. */
export function contentOf(storeFolder: string, note: (text: string) => void): ObjectStore {
  return new ObjectStore(storeFolder, {
    onDamaged: (hash) =>
      note(`object ${hash} of the store was damaged, and is made again; what is left of it lies in quarantine`),
  });
}
