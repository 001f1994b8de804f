import { inspect } from "node:util";

/**
 * Longer than any event takes on a machine at a tenth of the speed, and shorter than the time limit of a test: so
 * vitest.config.ts, which has both, sets it for each kind of test.
 */
export const PATIENCE_MS = Number(process.env.WF_TEST_PATIENCE_MS ?? 240_000);

const PAUSE_MS = 5;
const MOST_SHOWN = 2_000;

/** The real one, also while a test has replaced the clock. */
const { setTimeout } = globalThis;
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));

/**
 * Waits until `look` sees something, and returns it: anything but `undefined`, `null`, `false`, and a thrown error, so
 * that `look` may hold an `expect`. A wait in vain ends with an error that says for what it was and what was seen last.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  { patienceMs = PATIENCE_MS, lastSeen }: { readonly patienceMs?: number; readonly lastSeen?: () => unknown } = {},
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    let seen: unknown;
    let cause: unknown;
    try {
      const found = await look();
      if (found !== undefined && found !== null && found !== false) return found;
      seen = found;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > giveUpAt) {
      const shown = lastSeen?.() ?? (cause instanceof Error ? cause.message : (cause ?? seen));
      const text = typeof shown === "string" ? shown : inspect(shown, { depth: 4 });
      throw new Error(
        `waited ${patienceMs / 1000} s in vain for ${what}; seen last: ${text.slice(-MOST_SHOWN)}`,
        cause === undefined ? {} : { cause },
      );
    }
    await pause();
  }
}
