import { canonical, type DatasetManifest, type DirectoryManifest, type Value } from "@wf/protocol";
import { fileColumnsOf, readDataset, readDirectory } from "./composite-value.ts";
import { ROWS_FILE } from "./dataset-layout.ts";
import { type DatasetRow, fileCell, valueCell } from "./dataset-row.ts";
import { checkedName, checkedRelative } from "./safe-path.ts";
import { withUniqueNames } from "./unique-names.ts";
import type { ManifestReader } from "./value-store.ts";

/** What lies where when an artifact is laid out as a folder; paths are relative, with `/`. */
export type LayoutEntry =
  | { readonly is: "object"; readonly path: string; readonly hash: string; readonly executable?: boolean }
  | { readonly is: "text"; readonly path: string; readonly text: string }
  | { readonly is: "folder"; readonly path: string };

type FolderValue = Extract<Value, { kind: "directory" | "dataset" | "list" }>;

const INDEX_DIGITS = 6;

/**
 * The same layout that the launcher gives a task: a directory is its tree; a dataset has one sub-folder a file column
 * and `rows.jsonl`; a list has numbered items, a file as `000000/NAME`, a JSON value as `000000.json`.
 * A folder stands before what is in it.
 */
export function* artifactLayout(manifests: ManifestReader, value: FolderValue, prefix = ""): Generator<LayoutEntry> {
  switch (value.kind) {
    case "directory":
      yield* directoryLayout(readDirectory(manifests, value), prefix);
      return;
    case "dataset":
      yield* datasetLayout(readDataset(manifests, value), prefix);
      return;
    case "list":
      for (const [index, item] of value.items.entries()) {
        yield* itemLayout(manifests, item, prefix + String(index).padStart(INDEX_DIGITS, "0"));
      }
      return;
  }
}

function* directoryLayout({ entries, folders = [] }: DirectoryManifest, prefix: string): Generator<LayoutEntry> {
  for (const { path, hash, executable } of entries) {
    yield { is: "object", path: prefix + checkedRelative(path), hash, executable: executable === true };
  }
  for (const path of folders) yield { is: "folder", path: prefix + checkedRelative(path) };
}

function* itemLayout(manifests: ManifestReader, item: Value, path: string): Generator<LayoutEntry> {
  switch (item.kind) {
    case "file":
      yield { is: "folder", path };
      yield { is: "object", path: `${path}/${checkedName(item.name)}`, hash: item.hash };
      return;
    case "json":
      yield { is: "object", path: `${path}.json`, hash: item.hash };
      return;
    case "directory":
    case "dataset":
    case "list":
      yield { is: "folder", path };
      yield* artifactLayout(manifests, item, `${path}/`);
      return;
    case "absent":
      return;
  }
}

function* datasetLayout({ columns, rows }: DatasetManifest, prefix: string): Generator<LayoutEntry> {
  const fileColumns = fileColumnsOf(columns);
  for (const column of fileColumns) yield { is: "folder", path: prefix + checkedName(column) };
  const lines: string[] = [];
  for (const row of withUniqueNames(rows, fileColumns, (name) => name)) {
    const line: { [column: string]: DatasetRow[string] } = {};
    for (const column of Object.keys(columns)) {
      if (columns[column] === "value") {
        line[column] = valueCell(row, column);
        continue;
      }
      const { hash, name } = fileCell(row, column);
      line[column] = `${column}/${checkedName(name)}`;
      yield { is: "object", path: prefix + line[column], hash };
    }
    lines.push(`${canonical(line)}\n`);
  }
  yield { is: "text", path: prefix + ROWS_FILE, text: lines.join("") };
}
