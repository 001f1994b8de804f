const DAY_SECONDS = 86_400;

/**
 * The seconds of a time as SLURM writes it: `30` (minutes), `1:30` (minutes and seconds), `2:00:00`, `1-12`, `1-12:30`,
 * `1-00:00:00`. Infinity where there is no limit, null for what is no time (`N/A`, `NONE`, `Unknown`).
 */
export function parseSlurmSeconds(text: string): number | null {
  if (/^(unlimited|infinite)$/i.test(text)) return Number.POSITIVE_INFINITY;
  const match = /^(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?$/.exec(text);
  if (match === null) return null;
  const [, days, ...fields] = match;
  const [first = 0, second, third] = fields.map((field) => (field === undefined ? undefined : Number(field)));
  if (days !== undefined) return Number(days) * DAY_SECONDS + first * 3600 + (second ?? 0) * 60 + (third ?? 0);
  if (third !== undefined) return first * 3600 + (second ?? 0) * 60 + third;
  return first * 60 + (second ?? 0);
}

/** SLURM counts time limits in minutes, and rounds up what is none. */
export function wholeMinutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}
