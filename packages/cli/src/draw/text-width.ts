/**
 * How wide a text will be, without a font at hand: the widths of the usual sans-serif fonts differ little, and these
 * are the larger ones. In pixels, for a size in pixels.
 */
export function estimateWidth(text: string, sizePx: number): number {
  let ems = 0;
  for (const character of text) ems += widthInEms(character);
  return ems * sizePx;
}

function widthInEms(character: string): number {
  if (/[il.,:;'|!\s]/.test(character)) return 0.3;
  if (/[fjrt()[\]/\\"*·-]/.test(character)) return 0.4;
  if (/[mwMW@%…]/.test(character)) return 0.9;
  if (/[A-Z&+=<>≤≥≠×~]/.test(character)) return 0.7;
  return character.charCodeAt(0) < 0x2e80 ? 0.58 : 1;
}
