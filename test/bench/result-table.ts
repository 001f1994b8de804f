import { isKept, type Result, ratioOf } from "./benchmark.ts";

const HEADINGS = ["benchmark", "value", "reference", "ratio", "promise", ""] as const;

/** Results for people. */
export function resultTable(results: readonly Result[]): string {
  const rows = [HEADINGS, ...results.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}

function cells(result: Result): readonly string[] {
  return [
    result.name,
    quantity(result.value, result.unit),
    `${quantity(result.referenceValue, result.unit)} (${result.reference})`,
    threeDigits(ratioOf(result)),
    promise(result),
    isKept(result) ? "" : "BROKEN",
  ];
}

function promise({ ratioAtMost, ratioAtLeast }: Result): string {
  const parts = [];
  if (ratioAtMost !== undefined) parts.push(`at most ${ratioAtMost}`);
  if (ratioAtLeast !== undefined) parts.push(`at least ${ratioAtLeast}`);
  return parts.join(", ");
}

function quantity(value: number, unit: string): string {
  return `${threeDigits(value)} ${unit}`;
}

function threeDigits(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
