import { parse } from "node:path";
import type { FileRef } from "@wf/protocol";
import type { DatasetRow } from "./dataset-row.ts";

const ROW_DIGITS = 6;

/** What tasks align rows by: the name without its last ending. */
export function stemOf(name: string): string {
  return parse(name).name;
}

/**
 * Gives rows that share a name in a file column names of their own: the row's number goes before each of its file
 * names, so that columns that were aligned by stem stay aligned. Rows that share nothing keep their names.
 *
 * `keyOf` says what must differ. For a new manifest it is the stem: two files `1.png` and `1.jpg` of one column would
 * otherwise lead a task that writes `mask/1.png` for each to lose one of them.
 *
 * It ends: numbers have equal width, so two renamed rows never clash, and each round renames at least one more.
 */
export function withUniqueNames(
  rows: readonly DatasetRow[],
  fileColumns: readonly string[],
  keyOf: (name: string) => string = stemOf,
): readonly DatasetRow[] {
  const digits = Math.max(ROW_DIGITS, String(rows.length).length);
  let current = rows;
  for (;;) {
    const clashing = clashes(current, fileColumns, keyOf);
    if (clashing.size === 0) return current;
    current = current.map((row, index) =>
      clashing.has(index) ? renamed(row, fileColumns, `${String(index).padStart(digits, "0")}-`) : row,
    );
  }
}

function clashes(
  rows: readonly DatasetRow[],
  fileColumns: readonly string[],
  keyOf: (name: string) => string,
): ReadonlySet<number> {
  const clashing = new Set<number>();
  for (const column of fileColumns) {
    const first = new Map<string, number>();
    for (const [index, row] of rows.entries()) {
      const key = keyOf((row[column] as FileRef).name);
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, index);
      else clashing.add(earlier).add(index);
    }
  }
  return clashing;
}

function renamed(row: DatasetRow, fileColumns: readonly string[], prefix: string): DatasetRow {
  const names = fileColumns.map((column) => {
    const file = row[column] as FileRef;
    return [column, { ...file, name: prefix + file.name }] as const;
  });
  return { ...row, ...Object.fromEntries(names) };
}
