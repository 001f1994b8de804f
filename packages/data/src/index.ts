/**
 * The data of a site: content-addressed objects, the manifests that bind them to directories and datasets, the way of
 * a user's files into the store and back out of it.
 *
 *     const objects = new ObjectStore(".wf");
 *     const importer = new Importer(objects, new MemoryHashCache());
 *     const xrays = await importer.importDataset("data/xrays", { image: "file", mask: "file" });
 *     const chunks = datasetChunks(objects, xrays, 32);
 *     await materialise(mergeDatasets(objects, chunks), "results/xrays", objects);
 */
export { collectGarbage, type GarbageOptions, type GarbageReport } from "./collect-garbage.ts";
export {
  columnFiles,
  columnItems,
  datasetChunks,
  datasetColumns,
  datasetFromColumns,
  datasetRows,
  pickColumns,
} from "./dataset.ts";
export type { ColumnKinds } from "./dataset-layout.ts";
export { diffValues, type ValueDiff } from "./diff-values.ts";
export { directoryFiles } from "./directory-files.ts";
export { type FileStamp, type HashCache, MemoryHashCache } from "./hash-cache.ts";
export { Importer, type ImportOptions, type ImportTreeOptions } from "./importer.ts";
export { materialise } from "./materialise.ts";
export { mergeDatasets } from "./merge-datasets.ts";
export { objectHashes } from "./object-hashes.ts";
export { QUARANTINE } from "./object-layout.ts";
export { ObjectStore, type ObjectStoreOptions } from "./object-store.ts";
export { checkedName, pathIn } from "./safe-path.ts";
export { type Movement, SiteContent, type SiteContentOptions } from "./site-content.ts";
export { syncStorage } from "./sync-storage.ts";
export { valueHash } from "./value-hash.ts";
export { manifestReferences, type ObjectReference, valueObjects } from "./value-objects.ts";
export { type ValueStats, valueStats } from "./value-stats.ts";
export type { ManifestReader, ValueStore } from "./value-store.ts";
export { writeFailure } from "./write-failure.ts";
