const MEMORY_MS = 60_000;
const LONGEST_MS = 10_000;

export function recentFlushes(flushesMs: readonly number[], nowMs: number): readonly number[] {
  return flushesMs.filter((atMs) => nowMs - atMs < MEMORY_MS);
}

/**
 * How long jobs that become ready wait for others, to go with them as one array: longer with each submission of the last
 * minute. A queue that is worked off while more comes is then filled up by a few larger arrays.
 */
export function batchWindowMs(shortestMs: number, flushesMs: readonly number[], nowMs: number): number {
  const longest = Math.max(shortestMs, LONGEST_MS);
  return Math.min(longest, shortestMs * (1 + recentFlushes(flushesMs, nowMs).length));
}
