import { canonical, type DatasetValue, type FileValue, type JsonValue, WfError } from "@wf/protocol";
import { datasetValue, fileColumnsOf, readDataset } from "./composite-value.ts";
import type { ColumnKinds } from "./dataset-layout.ts";
import { type DatasetRow, fileCell, valueCell } from "./dataset-row.ts";
import { withUniqueNames } from "./unique-names.ts";
import type { ManifestReader, ValueStore } from "./value-store.ts";

type Cell = FileValue | JsonValue;

export function datasetColumns(manifests: ManifestReader, value: DatasetValue): ColumnKinds {
  return readDataset(manifests, value).columns;
}

/** Each row as artifacts that a task can be handed, by column. */
export function datasetRows(store: ValueStore, value: DatasetValue): readonly { readonly [column: string]: Cell }[] {
  const { columns, rows } = readDataset(store, value);
  const cells = Object.keys(columns).map((column) => [column, cellReader(store, columns, column)] as const);
  return rows.map((row) => Object.fromEntries(cells.map(([column, read]) => [column, read(row)])));
}

/** The dataset in pieces of `size` rows, in order; the last may be smaller, and no rows make no piece. */
export function datasetChunks(store: ValueStore, value: DatasetValue, size: number): readonly DatasetValue[] {
  if (!Number.isInteger(size) || size < 1) {
    throw new WfError("WF_DECLARATION", `A chunk cannot have ${size} rows`, { hint: "Use a whole number from 1." });
  }
  const { columns, rows } = readDataset(store, value);
  const chunks: DatasetValue[] = [];
  for (let start = 0; start < rows.length; start += size) {
    chunks.push(datasetValue(store, columns, rows.slice(start, start + size)));
  }
  return chunks;
}

export function pickColumns(store: ValueStore, value: DatasetValue, names: readonly string[]): DatasetValue {
  const { columns, rows } = readDataset(store, value);
  const kinds = Object.fromEntries(names.map((name) => [name, kindOf(columns, name)]));
  const picked = rows.map((row) => Object.fromEntries(names.map((name) => [name, valueCell(row, name)])));
  return datasetValue(store, kinds, picked);
}

/** One column as a list, row by row. */
export function columnItems(store: ValueStore, value: DatasetValue, column: string): readonly Cell[] {
  const { columns, rows } = readDataset(store, value);
  return rows.map(cellReader(store, columns, column));
}

export function columnFiles(manifests: ManifestReader, value: DatasetValue, column: string): readonly FileValue[] {
  const { columns, rows } = readDataset(manifests, value);
  if (kindOf(columns, column) !== "file") {
    throw new WfError("WF_DATASET_INVALID", `Column "${column}" holds values, and files are wanted`);
  }
  return rows.map((row) => fileOf(row, column));
}

/**
 * Rows from lists that are walked side by side. `kinds` says what the columns are when there are no rows to tell.
 */
export function datasetFromColumns(
  store: ValueStore,
  lists: { readonly [column: string]: readonly Cell[] },
  kinds: ColumnKinds = {},
): DatasetValue {
  const names = Object.keys(lists);
  const length = sharedLength(lists);
  const columns = Object.fromEntries(names.map((name) => [name, kindOfList(name, lists[name] ?? [], kinds[name])]));
  const rows = Array.from({ length }, (_, index) =>
    Object.fromEntries(names.map((name) => [name, rawCell(lists[name]?.[index] as Cell)])),
  );
  return datasetValue(store, columns, withUniqueNames(rows, fileColumnsOf(columns)));
}

function sharedLength(lists: { readonly [column: string]: readonly Cell[] }): number {
  const lengths = Object.entries(lists).map(([name, list]) => `${name} has ${list.length}`);
  const length = Object.values(lists)[0]?.length ?? 0;
  if (Object.values(lists).every((list) => list.length === length)) return length;
  throw new WfError("WF_ZIP_LENGTH", `The columns of a dataset have different lengths: ${lengths.join(", ")}`, {
    hint: "Every column needs one item for each row.",
  });
}

function kindOfList(column: string, list: readonly Cell[], declared: "file" | "value" | undefined): "file" | "value" {
  const kind = list[0] === undefined ? (declared ?? "file") : list[0].kind === "file" ? "file" : "value";
  const wanted = kind === "file" ? "file" : "json";
  const odd = list.findIndex((cell) => cell.kind !== wanted);
  if (odd === -1) return kind;
  throw new WfError("WF_DATASET_INVALID", `Column "${column}" holds a ${wanted} and a ${list[odd]?.kind}`, {
    where: `row ${odd}`,
    hint: "All items of a column are files, or all are JSON values.",
  });
}

function rawCell(cell: Cell): DatasetRow[string] {
  return cell.kind === "file" ? { hash: cell.hash, size: cell.size, name: cell.name } : cell.value;
}

function fileOf(row: DatasetRow, column: string): FileValue {
  const { hash, size, name } = fileCell(row, column);
  return { kind: "file", hash, size, name };
}

/** Values repeat (a label, a patient), so each is stored once a call. */
function cellReader(store: ValueStore, columns: ColumnKinds, column: string): (row: DatasetRow) => Cell {
  if (kindOf(columns, column) === "file") return (row) => fileOf(row, column);
  const known = new Map<string, JsonValue>();
  return (row) => {
    const value = valueCell(row, column);
    const text = canonical(value);
    const stored = known.get(text) ?? store.putJson(value);
    known.set(text, stored);
    return stored;
  };
}

function kindOf(columns: ColumnKinds, column: string): "file" | "value" {
  const kind = Object.hasOwn(columns, column) ? columns[column] : undefined;
  if (kind !== undefined) return kind;
  throw new WfError("WF_DATASET_INVALID", `The dataset has no column "${column}"`, {
    hint: `It has ${Object.keys(columns).join(", ") || "no columns"}.`,
  });
}
