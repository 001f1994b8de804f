const UNITS: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** `14940K`, `1.2G`; null for nothing. */
export function parseSlurmBytes(text: string): number | null {
  const [, amount, unit = ""] = /^([\d.]+)([KMGT]?)$/.exec(text) ?? [];
  return amount === undefined ? null : Math.round(Number(amount) * (UNITS[unit] as number));
}
