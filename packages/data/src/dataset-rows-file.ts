import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Json, WfError } from "@wf/protocol";
import { type ColumnKinds, type FoundCell, type FoundRow, invalidDataset, ROWS_FILE } from "./dataset-layout.ts";
import { unreadable, unreadableError } from "./input-failure.ts";
import { followInside } from "./input-folder.ts";

/** The rows that `rows.jsonl` in the dataset's folder names, in its order. An empty one is a dataset without rows. */
export function rowsFromFile(root: string, columns: ColumnKinds): readonly FoundRow[] {
  const rows: FoundRow[] = [];
  const file = followInside(root, join(root, ROWS_FILE)).real;
  if (!statSync(file).isFile()) throw unreadable(file, "", "it is not a regular file");
  for (const [index, line] of readText(file).split("\n").entries()) {
    if (line.trim() === "") continue;
    const where = `${join(root, ROWS_FILE)}:${index + 1}`;
    const given = parseRow(line, where);
    rows.push(
      Object.fromEntries(
        Object.entries(columns).map(([column, kind]) => {
          const cell = Object.hasOwn(given, column) ? given[column] : undefined;
          if (cell === undefined)
            throw invalidDataset(`A row has no column "${column}"`, where, `It has ${listed(given)}.`);
          return [column, kind === "value" ? { value: cell } : fileCell(root, column, cell, where)];
        }),
      ),
    );
  }
  return rows;
}

function parseRow(line: string, where: string): { readonly [column: string]: Json } {
  let row: Json;
  try {
    row = JSON.parse(line) as Json;
  } catch (error) {
    throw invalidDataset(`A row is not JSON: ${(error as Error).message}`, where, "Write one JSON object a line.");
  }
  if (row === null || typeof row !== "object" || Array.isArray(row)) {
    throw invalidDataset(
      "A row is not an object",
      where,
      'Write rows like {"image":"image/001.png","label":"spiral"}.',
    );
  }
  return row as { readonly [column: string]: Json };
}

function fileCell(root: string, column: string, cell: Json, where: string): FoundCell {
  if (typeof cell !== "string" || cell === "") {
    throw invalidDataset(
      `Column "${column}" holds files, but a row has ${JSON.stringify(cell)}`,
      where,
      "Write the file's path.",
    );
  }
  const source = join(root, cell);
  if (cell.startsWith("/") || !source.startsWith(join(root, "/"))) {
    throw new WfError("WF_PATH_ESCAPE", `The path ${JSON.stringify(cell)} leaves the dataset's folder`, {
      where,
      hint: `Paths in ${ROWS_FILE} are relative to its folder.`,
    });
  }
  let followed: ReturnType<typeof followInside>;
  try {
    followed = followInside(root, source);
  } catch (error) {
    if (error instanceof WfError && error.code === "WF_INPUT_UNREADABLE") {
      throw new WfError(error.code, error.message, { where, hint: error.hint, cause: error });
    }
    throw error;
  }
  if (followed.kind === "folder") {
    throw invalidDataset(
      `Column "${column}" names a folder, ${JSON.stringify(cell)}`,
      where,
      "Write the path of a file.",
    );
  }
  return { source: followed.real, name: basename(source) };
}

function listed(row: { readonly [column: string]: Json }): string {
  const names = Object.keys(row).map((name) => JSON.stringify(name));
  return names.length === 0 ? "no columns" : `the columns ${names.join(", ")}`;
}

function readText(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) throw unreadable(path, "", "it is not valid UTF-8");
    throw unreadableError(path, error);
  }
}
