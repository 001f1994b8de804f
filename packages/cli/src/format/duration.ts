const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A measured time, in three digits or two units: `0.4ms`, `12.3s`, `3m 04s`, `1h 12m`, `2d 03h`. */
export function formatDuration(seconds: number): string {
  if (seconds === 0) return "0s";
  if (seconds < 0.01) return `${(seconds * 1000).toFixed(1)}ms`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)}ms`;
  if (seconds < 9.995) return `${seconds.toFixed(2)}s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  return formatElapsed(seconds);
}

/** A time that is still running, in whole seconds: `3s`, `3m 04s`, `1h 12m`. */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < MINUTE) return `${whole}s`;
  if (whole < HOUR) return `${Math.floor(whole / MINUTE)}m ${twoDigits(whole % MINUTE)}s`;
  if (whole < DAY) return `${Math.floor(whole / HOUR)}h ${twoDigits((whole % HOUR) / MINUTE)}m`;
  return `${Math.floor(whole / DAY)}d ${twoDigits((whole % DAY) / HOUR)}h`;
}

/** How long ago, in one unit: `just now`, `5m ago`, `3h ago`, `12d ago`. */
export function formatAge(seconds: number): string {
  if (seconds < 10) return "just now";
  if (seconds < MINUTE) return `${Math.floor(seconds)}s ago`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)}m ago`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h ago`;
  return `${Math.floor(seconds / DAY)}d ago`;
}

function twoDigits(amount: number): string {
  return String(Math.floor(amount)).padStart(2, "0");
}
