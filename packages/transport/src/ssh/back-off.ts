export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

const FACTOR = 3;

/** How long to wait after so many failures in a row. Half of it is left to chance, so that many do not come at once. */
export function backOffMs(failures: number, { firstMs, longestMs }: BackOff, random: () => number): number {
  if (failures === 0) return 0;
  const longest = Math.min(longestMs, firstMs * FACTOR ** (failures - 1));
  return longest * (0.5 + random() / 2);
}
