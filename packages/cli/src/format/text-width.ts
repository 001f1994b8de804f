import fastStringWidth from "fast-string-width";

const graphemes = new Intl.Segmenter();

/** How many columns of a terminal a text takes; escape sequences take none. */
export function textWidth(text: string): number {
  return fastStringWidth(text);
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
