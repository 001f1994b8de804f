import { stripVTControlCharacters } from "node:util";

const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * One line that cannot move the cursor, whatever a file name, a parameter or a task's output holds.
 * Names stay whole: a newline in one is shown as `\n`.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) => {
    return ESCAPES[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}

/** A line that a program printed: without its colours, tabs as spaces, and only the last state of a line that it redrew. */
export function printedLine(line: string): string {
  const plain = stripVTControlCharacters(line).replace(/\r+$/, "");
  return printable(plain.slice(plain.lastIndexOf("\r") + 1).replaceAll("\t", "    "));
}
