import { textWidth } from "./text-width.ts";

/** Lines of at most `width` columns, broken at spaces; a longer word has a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\s)(?=\S)/)) {
    if (line !== "" && textWidth((line + word).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  return [...lines, line.trimEnd()];
}
