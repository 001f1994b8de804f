import { type Sampler, suggest } from "./sampler.ts";
import type { SettingOf, Space } from "./space.ts";
import { type Direction, endedTrial, type Trial } from "./trial.ts";

/** Runs a search to its end. Trial i sees the results of trials 0 to i - window. */
export function searched<S extends Space>(
  space: S,
  measure: (setting: SettingOf<S>) => readonly number[],
  {
    sampler,
    trials,
    directions = ["minimise"],
    window = 1,
  }: {
    readonly sampler: Sampler;
    readonly trials: number;
    readonly directions?: readonly Direction[];
    readonly window?: number;
  },
): readonly Trial[] {
  const all: Trial[] = [];
  for (let index = 0; index < trials; index += 1) {
    const history = all.slice(0, Math.max(0, index - window + 1));
    const setting = suggest(sampler, { space, directions, index, history });
    all.push(endedTrial({ index, setting, values: measure(setting) }));
  }
  return all;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}
