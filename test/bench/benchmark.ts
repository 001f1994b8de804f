/** What a benchmark found. Times are in seconds. */
export interface Result {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What `value` is compared with: a limit, or a peer that was measured in the same run. */
  readonly reference: string;
  readonly referenceValue: number;
  /** The promise about value / referenceValue. A result without one only informs. */
  readonly ratioAtMost?: number;
  readonly ratioAtLeast?: number;
}

/**
 * One file a benchmark, listed in `registry.ts`.
 *
 * @example
 * export const startup: Benchmark = {
 *   name: "startup",
 *   description: "`wf --help` against a bare Node",
 *   run: async () => [{ name: "startup", value: 0.1, unit: "s", reference: "node -e 0", referenceValue: 0.05 }],
 * };
 */
export interface Benchmark {
  readonly name: string;
  readonly description: string;
  run(): Promise<readonly Result[]>;
}

export function ratioOf({ value, referenceValue }: Result): number {
  return value / referenceValue;
}

export function isKept(result: Result): boolean {
  const ratio = ratioOf(result);
  return ratio <= (result.ratioAtMost ?? Number.POSITIVE_INFINITY) && ratio >= (result.ratioAtLeast ?? 0);
}
