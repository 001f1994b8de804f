import type { Paint } from "./colour.ts";
import { printable } from "./printable.ts";
import { padEnd, textWidth, truncate } from "./text-width.ts";

export interface Column {
  readonly title: string;
  /** Default "left". Numbers read well on the right. */
  readonly align?: "left" | "right";
  /** How narrow it may become when the table does not fit. Default: it keeps its width. */
  readonly minWidth?: number;
  readonly paint?: Paint;
}

export interface PaintedCell {
  readonly text: string;
  readonly paint?: Paint | undefined;
}
export type Cell = string | PaintedCell;

export interface TableOptions {
  /** Columns of the terminal; undefined where lines may be of any length. */
  readonly width: number | undefined;
  readonly titlePaint?: Paint;
  readonly indent?: string;
}

const GAP = "  ";

/**
 * Aligned columns under their titles. Where the table is too wide, the widest column that may shrink does so first;
 * where that is not enough, lines are cut at the terminal's edge. A column that is empty throughout takes no room.
 */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], options: TableOptions): string[] {
  const indent = options.indent ?? "";
  const room = options.width === undefined ? Number.POSITIVE_INFINITY : options.width - textWidth(indent);
  const widths = fittedWidths(columns, rows, room);
  const line = (cells: readonly Cell[], paintOf: (column: Column) => Paint | undefined) =>
    indent + tableLine(columns, widths, cells, paintOf, room);
  const titles = columns.map(({ title }) => printable(title));
  const head = titles.every((title) => title === "") ? [] : [line(titles, () => options.titlePaint)];
  return [...head, ...rows.map((row) => line(row, (column) => column.paint))];
}

function fittedWidths(columns: readonly Column[], rows: readonly (readonly Cell[])[], room: number): number[] {
  const widths = columns.map(({ title }, index) =>
    rows.reduce((widest, row) => Math.max(widest, textWidth(textOf(row[index] ?? ""))), textWidth(printable(title))),
  );
  const gaps = GAP.length * (widths.filter((width) => width > 0).length - 1);
  let excess = widths.reduce((sum, width) => sum + width, 0) + gaps - room;
  const least = columns.map(({ minWidth }, index) =>
    Math.min(minWidth ?? Number.POSITIVE_INFINITY, widths[index] ?? 0),
  );
  while (excess > 0) {
    const shrinkable = widths.flatMap((width, index) => (width > (least[index] ?? 0) ? [{ index, width }] : []));
    if (shrinkable.length === 0) break;
    shrinkable.sort((a, b) => b.width - a.width);
    const [widest, next] = shrinkable as [
      { index: number; width: number },
      { index: number; width: number } | undefined,
    ];
    const floor = Math.max(least[widest.index] ?? 0, Math.min(widest.width - 1, next?.width ?? 0));
    const cut = Math.min(excess, widest.width - floor);
    widths[widest.index] = widest.width - cut;
    excess -= cut;
  }
  return widths;
}

function tableLine(
  columns: readonly Column[],
  widths: readonly number[],
  cells: readonly Cell[],
  paintOf: (column: Column) => Paint | undefined,
  room: number,
): string {
  let line = "";
  let used = 0;
  for (const [index, column] of columns.entries()) {
    if (widths[index] === 0) continue;
    const cell = cells[index] ?? "";
    const isLast = index === columns.length - 1;
    const gap = used === 0 ? "" : GAP;
    const width = Math.min(widths[index] ?? 0, room - used - gap.length);
    if (width <= 0) break;
    const text = truncate(textOf(cell), width);
    const paint = (typeof cell === "string" ? undefined : cell.paint) ?? paintOf(column);
    const painted = paint && text !== "" ? paint(text) : text;
    const padding = " ".repeat(Math.max(0, width - textWidth(text)));
    line += gap + (column.align === "right" ? padding + painted : isLast ? painted : painted + padding);
    used += gap.length + width;
  }
  return line.trimEnd();
}

function textOf(cell: Cell): string {
  return printable(typeof cell === "string" ? cell : cell.text);
}

/** `name  value` lines with the values aligned; the names are painted. */
export function pairs(rows: readonly (readonly [name: string, value: string])[], paint: Paint, indent = ""): string[] {
  const width = Math.max(0, ...rows.map(([name]) => textWidth(name)));
  return rows.map(([name, value]) => `${indent}${paint(padEnd(name, width))}${GAP}${value}`.trimEnd());
}
