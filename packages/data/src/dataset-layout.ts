import { type Json, WfError } from "@wf/protocol";

/** Which columns of a dataset are files, and which are values (a label, a patient). */
export type ColumnKinds = { readonly [column: string]: "file" | "value" };

/** A row before its files are read: a file cell is the absolute path of the file. */
export interface FoundCell {
  readonly source: string;
  readonly name: string;
}
export type FoundRow = { readonly [column: string]: FoundCell | { readonly value: Json } };

export const ROWS_FILE = "rows.jsonl";

export const STEMS_HINT = "Give each file column a sub-folder of its name; files with the same stem make a row.";
export const ROWS_HINT = `Name the rows in ${ROWS_FILE}, one a line: {"image":"image/001.png","label":"spiral"}.`;

export function invalidDataset(message: string, where: string, hint: string): WfError {
  return new WfError("WF_DATASET_INVALID", message, { where, hint });
}
