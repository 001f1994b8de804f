import { EXIT } from "@wf/protocol";
import type { QueryResult } from "@wf/store";
import type { QueryOptions } from "../command-options.ts";
import { counted } from "../format/count.ts";
import { type CsvValue, csvLine } from "../format/csv.ts";
import { printable } from "../format/printable.ts";
import { type Cell, table } from "../format/table.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

/** One SELECT over the views of the store, as a table for people, as CSV, or as JSON with one row a line. */
export async function query(
  sql: string,
  options: QueryOptions,
  screen: Screen = screenOf(process.stdout, options),
): Promise<number> {
  return withStore(options, (store) => {
    const result = store.query(sql);
    const format = options.format ?? (options.json ? "json" : "table");
    if (format === "json") for (const row of result.rows) printJson(screen, rowObject(result.columns, row));
    else if (format === "csv") printLines(screen, csvLines(result));
    else printLines(screen, tableLines(result, screen));
    return EXIT.ok;
  });
}

function rowObject(columns: readonly string[], row: readonly unknown[]): object {
  return Object.fromEntries(columns.map((column, index) => [column, jsonCell(row[index])]));
}

function jsonCell(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}

function csvLines({ columns, rows }: QueryResult): string[] {
  return [csvLine([...columns]), ...rows.map((row) => csvLine(row as readonly CsvValue[]))];
}

const NARROWEST_COLUMN = 6;

function tableLines({ columns, rows }: QueryResult, screen: Screen): string[] {
  const { colours } = screen;
  const isNumber = columns.map((_, index) =>
    rows.every((row) => row[index] === null || typeof row[index] === "number"),
  );
  const cell = (value: unknown): Cell => {
    if (value === null) return { text: "-", paint: colours.gray };
    if (typeof value === "number") return numberCell(value);
    return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : printable(String(value));
  };
  const shown = columns.map((title, index) => ({
    title,
    align: isNumber[index] && rows.length > 0 ? ("right" as const) : ("left" as const),
    minWidth: NARROWEST_COLUMN,
  }));
  const lines = table(
    shown,
    rows.map((row) => row.map(cell)),
    { width: screen.columns, titlePaint: colours.gray },
  );
  return screen.isTerminal ? [...lines, colours.gray(counted(rows.length, "row"))] : lines;
}

function numberCell(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}
