import { type FileRef, type Json, WfError } from "@wf/protocol";

/** A file column's cell is a FileRef, a value column's cell is JSON. */
export type DatasetRow = { readonly [column: string]: FileRef | Json };

export function fileCell(row: DatasetRow, column: string): FileRef {
  const cell = row[column];
  if (isFileRef(cell)) return cell;
  throw new WfError("WF_DATASET_INVALID", `A row has no file in column "${column}"`, {
    hint: `It holds ${JSON.stringify(cell) ?? "nothing"}.`,
  });
}

export function valueCell(row: DatasetRow, column: string): Json {
  const cell = row[column];
  if (cell !== undefined) return cell;
  throw new WfError("WF_DATASET_INVALID", `A row has no value in column "${column}"`, {
    hint: `It has ${Object.keys(row).join(", ") || "no columns"}.`,
  });
}

function isFileRef(cell: FileRef | Json | undefined): cell is FileRef {
  if (cell === null || typeof cell !== "object" || Array.isArray(cell)) return false;
  const { hash, size, name } = cell as { readonly [key: string]: unknown };
  return typeof hash === "string" && typeof size === "number" && typeof name === "string";
}
