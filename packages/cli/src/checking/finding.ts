import { codeFrame } from "../format/code-frame.ts";
import type { Colours } from "../format/colour.ts";

/** Something that `wf check` has to say about a place in a workflow. */
export interface Finding {
  readonly severity: "error" | "warning";
  /** A code of wf, or the compiler's. */
  readonly code: string;
  readonly message: string;
  /** Relative to the project; undefined where no single file is meant. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  /** From 1. */
  readonly column?: number | undefined;
  readonly hint?: string | undefined;
  /** What is meant, for a frame. */
  readonly excerpt?: { readonly lines: readonly string[]; readonly length: number } | undefined;
}

export function showFinding(finding: Finding, { bold, dim, red, yellow }: Colours): string[] {
  const { severity, code, message, excerpt, line, column, hint } = finding;
  const [first, ...rest] = message.split("\n");
  const paint = severity === "error" ? red : yellow;
  const frame =
    excerpt && line !== undefined
      ? codeFrame(excerpt.lines, { line, column: (column ?? 1) - 1, length: excerpt.length })
      : [];
  return [
    `${placeOf(finding)}${paint(severity)} ${dim(code)} ${bold(first ?? "")}`,
    ...rest.map((more) => `  ${more}`),
    ...frame.map((text) => `  ${dim(text)}`),
    ...(hint === undefined ? [] : [`  ${dim("next:")} ${hint}`]),
  ];
}

function placeOf({ file, line, column }: Finding): string {
  if (file === undefined) return "";
  return `${[file, line, column].filter((part) => part !== undefined).join(":")} `;
}
