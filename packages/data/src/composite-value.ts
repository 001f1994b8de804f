import {
  type DatasetManifest,
  type DatasetValue,
  type DirectoryManifest,
  type DirectoryValue,
  type Value,
  WfError,
} from "@wf/protocol";
import type { ColumnKinds } from "./dataset-layout.ts";
import type { DatasetRow } from "./dataset-row.ts";
import { fileCell } from "./dataset-row.ts";
import { checkedName, checkedRelative } from "./safe-path.ts";
import type { ManifestReader, ValueStore } from "./value-store.ts";

/**
 * From a manifest to its value and back. Equal content has one text: entries are sorted by path (code units), and
 * `executable` stands there only when it is true, `folders` only where some are empty.
 */
export function directoryValue(
  store: ValueStore,
  files: readonly {
    readonly path: string;
    readonly hash: string;
    readonly size: number;
    readonly executable: boolean;
  }[],
  emptyFolders: readonly string[] = [],
): DirectoryValue {
  const entries = files
    .map(({ path, hash, size, executable }) => ({
      path: checkedRelative(path),
      hash,
      size,
      ...(executable ? { executable } : {}),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const folders = emptyFolders.map(checkedRelative).sort((a, b) => (a < b ? -1 : 1));
  const hash = store.writeManifest({ kind: "directory", entries, ...(folders.length === 0 ? {} : { folders }) });
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  return { kind: "directory", hash, size, files: entries.length };
}

export function datasetValue(store: ValueStore, columns: ColumnKinds, rows: readonly DatasetRow[]): DatasetValue {
  const fileColumns = fileColumnsOf(columns);
  let size = 0;
  for (const row of rows) {
    for (const column of fileColumns) {
      const file = fileCell(row, column);
      checkedName(file.name);
      size += file.size;
    }
  }
  for (const column of Object.keys(columns)) checkedName(column);
  const hash = store.writeManifest({ kind: "dataset", columns: { ...columns }, rows: rows as DatasetManifest["rows"] });
  return { kind: "dataset", hash, size, files: rows.length * fileColumns.length, rows: rows.length };
}

export function fileColumnsOf(columns: ColumnKinds): readonly string[] {
  return Object.keys(columns)
    .filter((column) => columns[column] === "file")
    .sort();
}

export function readDirectory(manifests: ManifestReader, value: DirectoryValue): DirectoryManifest {
  const manifest = manifests.readManifest(value.hash);
  if (manifest.kind !== "directory") throw unexpected(value.hash, "directory", manifest.kind);
  return manifest;
}

export function readDataset(manifests: ManifestReader, value: DatasetValue): DatasetManifest {
  const manifest = manifests.readManifest(value.hash);
  if (manifest.kind !== "dataset") throw unexpected(value.hash, "dataset", manifest.kind);
  return manifest;
}

/** Of a value from elsewhere, whose manifests are here: each is one, and of the kind that the value says. */
export function checkManifests(manifests: ManifestReader, value: Value): void {
  if (value.kind === "directory") readDirectory(manifests, value);
  else if (value.kind === "dataset") readDataset(manifests, value);
  else if (value.kind === "list") for (const item of value.items) checkManifests(manifests, item);
}

function unexpected(hash: string, wanted: string, found: string): WfError {
  return new WfError("WF_ARTIFACT_INVALID", `Object ${hash.slice(0, 12)} should be a ${wanted} and is a ${found}`, {
    hint: "Look at the task that made it: its record says what it is not.",
  });
}
