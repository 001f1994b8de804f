import {
  canonical,
  type DatasetManifest,
  type DirectoryManifest,
  type Json,
  type ListValue,
  type Value,
} from "@wf/protocol";
import { fileColumnsOf, readDataset, readDirectory } from "./composite-value.ts";
import { fileCell } from "./dataset-row.ts";
import { stemOf } from "./unique-names.ts";
import { valueHash } from "./value-hash.ts";
import type { ManifestReader } from "./value-store.ts";

export interface ValueDiff {
  /** What is counted: "3 of 492 files differ". */
  readonly unit: "file" | "row" | "item" | "value";
  /** How many there are now. */
  readonly total: number;
  /** There before and now, with another content. */
  readonly differing: number;
  readonly added: number;
  readonly removed: number;
  /** A few of them by name, those that differ first. */
  readonly examples: readonly { readonly name: string; readonly change: "differs" | "added" | "removed" }[];
}

const EXAMPLES = 5;

/** How an input changed. All counts are zero exactly when the values have the same `valueHash`. */
export function diffValues(manifests: ManifestReader, before: Value, after: Value): ValueDiff {
  if (before.kind === "directory" && after.kind === "directory") {
    const members = (value: typeof before) => directoryMembers(readDirectory(manifests, value));
    return { ...compare("file", members(before), members(after)), total: after.files };
  }
  if (before.kind === "dataset" && after.kind === "dataset") {
    return diffDatasets(readDataset(manifests, before), readDataset(manifests, after));
  }
  if (before.kind === "list" && after.kind === "list") {
    const unit = [...before.items, ...after.items].every((item) => item.kind === "file") ? "file" : "item";
    return compare(unit, listMembers(before), listMembers(after));
  }
  const differing = valueHash(before) === valueHash(after) ? 0 : 1;
  return {
    unit: before.kind === "file" && after.kind === "file" ? "file" : "value",
    total: 1,
    differing,
    added: 0,
    removed: 0,
    examples: differing === 0 ? [] : [{ name: change(before, after), change: "differs" }],
  };
}

/**
 * Says the plainest thing that is true: which files differ; if none does, which rows do (a label, or which files
 * belong together); if none does, which places of the order hold another row.
 */
function diffDatasets(before: DatasetManifest, after: DatasetManifest): ValueDiff {
  const files = compare("file", fileMembers(before), fileMembers(after));
  if (hasChanges(files)) return files;
  const rows = compare("row", rowMembers(before, rowName), rowMembers(after, rowName));
  if (hasChanges(rows)) return rows;
  const numbered = (_: DatasetManifest, index: number) => `row ${index}`;
  return compare("row", rowMembers(before, numbered), rowMembers(after, numbered));
}

function hasChanges(diff: ValueDiff): boolean {
  return diff.differing + diff.added + diff.removed > 0;
}

type Members = ReadonlyMap<string, string>;

/** A folder that holds nothing has a name that ends with a slash. */
function directoryMembers({ entries, folders = [] }: DirectoryManifest): Members {
  return new Map([
    ...entries.map(({ path, hash, executable }) => [path, `${hash} ${executable === true}`] as const),
    ...folders.map((path) => [`${path}/`, ""] as const),
  ]);
}

function fileMembers({ columns, rows }: DatasetManifest): Members {
  const members = new Map<string, string>();
  for (const column of fileColumnsOf(columns)) {
    for (const row of rows) {
      const { name, hash } = fileCell(row, column);
      members.set(`${column}/${name}`, hash);
    }
  }
  return members;
}

function rowMembers(manifest: DatasetManifest, nameOf: (manifest: DatasetManifest, index: number) => string): Members {
  const kinds = canonical(manifest.columns);
  return new Map(manifest.rows.map((row, index) => [nameOf(manifest, index), kinds + canonical(row as Json)]));
}

/** A row is known by the stem of its first file; without files only by its place. */
function rowName({ columns, rows }: DatasetManifest, index: number): string {
  const [column] = fileColumnsOf(columns);
  const row = rows[index];
  return column === undefined || row === undefined ? `row ${index}` : stemOf(fileCell(row, column).name);
}

function listMembers({ items }: ListValue): Members {
  return new Map(items.map((item, index) => [`item ${index}`, valueHash(item)]));
}

function compare(unit: ValueDiff["unit"], before: Members, after: Members): ValueDiff {
  const differing: string[] = [];
  const added: string[] = [];
  for (const [name, content] of after) {
    const earlier = before.get(name);
    if (earlier === undefined) added.push(name);
    else if (earlier !== content) differing.push(name);
  }
  const removed = [...before.keys()].filter((name) => !after.has(name));
  const examples = [
    ...differing.slice(0, EXAMPLES).map((name) => ({ name, change: "differs" as const })),
    ...added.slice(0, EXAMPLES).map((name) => ({ name, change: "added" as const })),
    ...removed.slice(0, EXAMPLES).map((name) => ({ name, change: "removed" as const })),
  ].slice(0, EXAMPLES);
  return {
    unit,
    total: after.size,
    differing: differing.length,
    added: added.length,
    removed: removed.length,
    examples,
  };
}

function change(before: Value, after: Value): string {
  if (before.kind !== after.kind) return `${before.kind} became ${after.kind}`;
  if (before.kind === "file" && after.kind === "file" && before.name !== after.name) {
    return `${before.name} became ${after.name}`;
  }
  if (before.kind === "json" && after.kind === "json") return `${short(before.value)} became ${short(after.value)}`;
  return after.kind === "file" ? after.name : after.kind;
}

function short(value: Json): string {
  const text = canonical(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
