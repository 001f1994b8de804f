const BLOCKS = "▁▂▃▄▅▆▇█";

/**
 * A series as one line of blocks from its lowest to its highest value. More values than `width` are averaged in
 * groups; what is unknown is a space; a flat series is a line of low blocks.
 */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const groups = values.length <= width ? values : averaged(values, width);
  const known = groups.filter((value) => value !== null);
  const low = known.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = known.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const step = (high - low) / BLOCKS.length;
  return groups
    .map((value) => {
      if (value === null) return " ";
      return step === 0 ? BLOCKS[0] : BLOCKS[Math.min(BLOCKS.length - 1, Math.floor((value - low) / step))];
    })
    .join("");
}

function averaged(values: readonly (number | null)[], width: number): (number | null)[] {
  return Array.from({ length: width }, (_, group) => {
    const first = Math.floor((group * values.length) / width);
    const end = Math.floor(((group + 1) * values.length) / width);
    const known = values.slice(first, end).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
  });
}
