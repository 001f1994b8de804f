export interface CodePosition {
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
  /** How many characters are meant. */
  readonly length: number;
}

/** The line that is meant and the one before it, numbered, with a mark under what is meant. */
export function codeFrame(lines: readonly string[], { line, column, length }: CodePosition): string[] {
  const width = String(line).length;
  const numbered = (number: number) =>
    `${String(number).padStart(width)} | ${(lines[number - 1] ?? "").replaceAll("\t", " ")}`;
  const text = lines[line - 1] ?? "";
  const marks = Math.max(1, Math.min(length, text.length - column));
  return [
    ...(line > 1 && lines[line - 2]?.trim() ? [numbered(line - 1)] : []),
    numbered(line).trimEnd(),
    `${" ".repeat(width)} | ${" ".repeat(column)}${"^".repeat(marks)}`,
  ];
}
