const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** Three digits and a decimal unit, as in `resources: { memory: "4GB" }`: `0 B`, `340 kB`, `1.24 GB`. */
export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(amount) : threeDigits(amount)} ${UNITS[unit]}`;
}

function threeDigits(amount: number): string {
  return amount.toFixed(amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0);
}
