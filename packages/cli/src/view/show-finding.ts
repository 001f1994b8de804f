import { codeFrame, type Finding } from "@wf/run";
import type { Colours } from "../format/colour.ts";

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
