import { type DatasetValue, WfError } from "@wf/protocol";
import { datasetValue, fileColumnsOf, readDataset } from "./composite-value.ts";
import type { ColumnKinds } from "./dataset-layout.ts";
import { withUniqueNames } from "./unique-names.ts";
import type { ValueStore } from "./value-store.ts";

/**
 * All rows, in order. Law: merging the chunks of a dataset gives the dataset.
 * `kinds` says what the columns are when nothing is merged. A dataset without columns and rows adds nothing.
 */
export function mergeDatasets(
  store: ValueStore,
  values: readonly DatasetValue[],
  kinds: ColumnKinds = {},
): DatasetValue {
  const manifests = values
    .map((value) => readDataset(store, value))
    .filter(({ columns, rows }) => rows.length > 0 || Object.keys(columns).length > 0);
  const columns: ColumnKinds = manifests[0]?.columns ?? kinds;
  const wanted = described(columns);
  for (const [index, manifest] of manifests.entries()) {
    const found = described(manifest.columns);
    if (found === wanted) continue;
    throw new WfError("WF_DATASET_INVALID", "Datasets with different columns cannot be merged", {
      where: `dataset ${index} of ${manifests.length}`,
      hint: `It has ${found}; the first has ${wanted}.`,
    });
  }
  const rows = manifests.flatMap((manifest) => manifest.rows);
  return datasetValue(store, columns, withUniqueNames(rows, fileColumnsOf(columns)));
}

function described(columns: ColumnKinds): string {
  return Object.keys(columns)
    .sort()
    .map((name) => `${name} (${columns[name]})`)
    .join(", ");
}
