import { join, parse } from "node:path";
import {
  type ColumnKinds,
  type FoundCell,
  type FoundRow,
  invalidDataset,
  ROWS_FILE,
  ROWS_HINT,
  STEMS_HINT,
} from "./dataset-layout.ts";
import { type FolderEntry, followInside, listFolder } from "./input-folder.ts";

/** One row for each stem, sorted: every column must have it, and have it once. */
export async function rowsFromStems(
  root: string,
  columns: ColumnKinds,
  entries: readonly FolderEntry[],
): Promise<readonly FoundRow[]> {
  const valueColumn = Object.keys(columns).find((column) => columns[column] === "value");
  if (valueColumn !== undefined) {
    const message = `Column "${valueColumn}" holds values, and there is no ${ROWS_FILE} to read them from`;
    throw invalidDataset(message, root, ROWS_HINT);
  }
  const byColumn = new Map<string, ReadonlyMap<string, FoundCell>>();
  for (const column of Object.keys(columns)) {
    const entry = entries.find(({ name }) => name === column);
    if (entry === undefined) {
      const folders = entries.filter(({ kind }) => kind !== "file").map(({ name }) => JSON.stringify(name));
      const there = folders.length === 0 ? "no sub-folders" : `the sub-folders ${folders.join(", ")}`;
      throw invalidDataset(`The column "${column}" is missing`, root, `There are ${there}. ${STEMS_HINT}`);
    }
    byColumn.set(column, await filesByStem(root, column, entry));
  }
  const stems = checkedStems(byColumn, root);
  return stems.map((stem) =>
    Object.fromEntries([...byColumn].map(([column, files]) => [column, files.get(stem) as FoundCell])),
  );
}

async function filesByStem(root: string, column: string, entry: FolderEntry): Promise<ReadonlyMap<string, FoundCell>> {
  const path = join(root, column);
  const folder = entry.kind === "link" ? followInside(root, path) : { real: path, kind: entry.kind };
  if (folder.kind === "file") throw invalidDataset(`The column "${column}" is a file`, path, STEMS_HINT);
  const files = new Map<string, FoundCell>();
  for (const { name, kind } of await listFolder(folder.real)) {
    if (name.startsWith(".")) continue;
    const source = join(folder.real, name);
    const target = kind === "link" ? followInside(root, source) : { real: source, kind };
    if (target.kind === "folder") {
      throw invalidDataset(`Column "${column}" has a folder in it, ${JSON.stringify(name)}`, path, ROWS_HINT);
    }
    const { name: stem } = parse(name);
    const twin = files.get(stem);
    if (twin !== undefined) {
      const both = `${JSON.stringify(twin.name)} and ${JSON.stringify(name)}`;
      throw invalidDataset(
        `The stem ${JSON.stringify(stem)} is there twice in column "${column}": ${both}`,
        path,
        ROWS_HINT,
      );
    }
    files.set(stem, { source: target.real, name });
  }
  return files;
}

/** The stems in order, if every column has all of them. */
function checkedStems(byColumn: ReadonlyMap<string, ReadonlyMap<string, FoundCell>>, root: string): readonly string[] {
  const stems = [...new Set([...byColumn.values()].flatMap((files) => [...files.keys()]))].sort();
  if (stems.length === 0) throw invalidDataset("The dataset has no files", root, STEMS_HINT);
  for (const stem of stems) {
    for (const [column, files] of byColumn) {
      if (files.has(stem)) continue;
      const [lonely, cells] = [...byColumn].find(([, others]) => others.has(stem)) as [string, typeof files];
      const name = join(lonely, cells.get(stem)?.name ?? "");
      throw invalidDataset(`${JSON.stringify(name)} has no partner in column "${column}"`, root, STEMS_HINT);
    }
  }
  return stems;
}
