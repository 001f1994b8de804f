import { stripVTControlCharacters } from "node:util";
import { printable } from "@wf/protocol";

/** A line that a program printed: without its colours, tabs as spaces, and only the last state of a line that it redrew. */
export function printedLine(line: string): string {
  return printable(lastState(stripVTControlCharacters(line)).replaceAll("\t", "    "));
}

/** Of a line that a program redrew, such as a bar of progress: what a terminal shows in the end. */
export function lastState(line: string): string {
  const plain = line.replace(/\r+$/, "");
  return plain.slice(plain.lastIndexOf("\r") + 1);
}
