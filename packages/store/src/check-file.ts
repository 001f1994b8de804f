import type { Connection } from "./connection.ts";

/** What is wrong with the file; nothing if it is sound. Reads all of it. */
export function checkFile({ db }: Connection): string[] {
  return unlessUnreadable(() => complaints(db.prepare<[], string>("PRAGMA quick_check").pluck().all()));
}

/** The same, with the indices, and with what rows refer to. */
export function checkFileAndRows({ db }: Connection): string[] {
  return unlessUnreadable(() => {
    const lines = db.prepare<[], string>("PRAGMA integrity_check").pluck().all();
    const dangling = db.prepare<[], { table: string; rowid: number | null; parent: string }>(
      "PRAGMA foreign_key_check",
    );
    return [
      ...complaints(lines),
      ...dangling.all().map(({ table, rowid, parent }) => `row ${rowid} of ${table} refers to nothing in ${parent}`),
    ];
  });
}

function complaints(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== "ok");
}

function unlessUnreadable(look: () => string[]): string[] {
  try {
    return look();
  } catch (error) {
    return [(error as Error).message];
  }
}
