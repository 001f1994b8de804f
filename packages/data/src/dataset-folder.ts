import type { ColumnKinds, FoundRow } from "./dataset-layout.ts";
import { ROWS_FILE } from "./dataset-layout.ts";
import { rowsFromFile } from "./dataset-rows-file.ts";
import { rowsFromStems } from "./dataset-stems.ts";
import { listFolder } from "./input-folder.ts";

/**
 * Reads the layout of a dataset folder (a real path). Either `rows.jsonl` names the rows, one object a line with
 * paths relative to the folder; or each file column is a sub-folder, and files with the same stem make a row.
 * What is there beyond the wanted columns is left alone; so are hidden files in a column's sub-folder.
 */
export async function readDatasetFolder(root: string, columns: ColumnKinds): Promise<readonly FoundRow[]> {
  const entries = await listFolder(root);
  return entries.some((entry) => entry.name === ROWS_FILE)
    ? rowsFromFile(root, columns)
    : rowsFromStems(root, columns, entries);
}
