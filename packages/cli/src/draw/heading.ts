import type { Group } from "./drawing.ts";

const MOST_CHARACTERS = 18;

/** A group's name in short lines; how many there are stands last, alone. */
export function headingOf({ kind, label, count }: Group): string[] {
  const lines: string[] = [];
  for (const word of `${kind === "repeat" ? "↻ " : ""}${label}`.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= MOST_CHARACTERS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return count === undefined ? lines : [...lines, count];
}

/** The same in one line. */
export function headlineOf({ kind, label, count }: Group): string {
  return `${kind === "repeat" ? "↻ " : ""}${label}${count === undefined ? "" : ` ${count}`}`;
}
