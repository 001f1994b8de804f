import stringWidth from "string-width";

/** One column a character: Latin letters, dashes and quotes, lines and blocks, and the marks that wf prints. */
const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2026\u2500-\u259f\u25b8\u2713\u2717]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences
const COLOUR = /\x1b\[[0-9;]*m/g;
const graphemes = new Intl.Segmenter();

/** How many columns of a terminal a text takes; escape sequences take none. A frame measures dozens of lines. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  const plain = text.replace(COLOUR, "");
  return NARROW.test(plain) ? plain.length : stringWidth(plain);
}

/** At most `width` columns of it; what is cut away leaves a `…`. For text without escape sequences. */
export function truncate(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width <= 0) return "";
  let taken = "";
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) {
    columns += textWidth(segment);
    if (columns > width - 1) break;
    taken += segment;
  }
  return `${taken}…`;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - textWidth(text))) + text;
}
