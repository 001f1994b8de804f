import { WfError } from "@wf/protocol";
import SQLite from "better-sqlite3";
import type { Connection } from "./connection.ts";
import { explainFailure } from "./sqlite-failure.ts";

export interface QueryResult {
  readonly columns: readonly string[];
  /** One list of cells a row: a number, a text, a Buffer or null. */
  readonly rows: readonly (readonly unknown[])[];
}

/** Runs one statement that only reads, on a connection that cannot write. */
export function query(reader: Connection, sql: string): QueryResult {
  try {
    const statement = reader.db.prepare<[], unknown[]>(sql);
    if (!statement.reader || !statement.readonly) throw refused(reader, "The statement would change the store.");
    return { columns: statement.columns().map(({ name }) => name), rows: statement.raw().all() };
  } catch (error) {
    if (error instanceof SQLite.SqliteError && !STATEMENT_ERRORS.has(error.code))
      throw explainFailure(error, reader.file);
    if (error instanceof SQLite.SqliteError || error instanceof RangeError)
      throw refused(reader, `${error.message}.`, error);
    throw error;
  }
}

/** What is wrong with the SQL itself, not with the store. */
const STATEMENT_ERRORS = new Set([
  "SQLITE_ERROR",
  "SQLITE_MISMATCH",
  "SQLITE_TOOBIG",
  "SQLITE_RANGE",
  "SQLITE_READONLY",
]);

function refused(reader: Connection, message: string, cause?: unknown): WfError {
  const views = reader.db
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")
    .pluck()
    .all();
  return new WfError("WF_QUERY", message, {
    hint: `Ask with one SELECT over the views ${views.join(", ")}. Their columns: \`wf query "PRAGMA table_info(run)"\` or docs/store.md.`,
    cause,
  });
}
