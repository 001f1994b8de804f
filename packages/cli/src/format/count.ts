/** `10,000`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** `1 file`, `3 files`, `no files`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return count === 0 ? `no ${plural}` : `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** `a.png, b.png, …`: the first few, and `…` where there are more. */
export function listed(names: readonly string[], total: number = names.length): string {
  return total > names.length ? [...names, "…"].join(", ") : names.join(", ");
}
