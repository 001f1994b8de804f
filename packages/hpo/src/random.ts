import { z } from "zod";
import type { Point } from "./point.ts";
import { randomSource } from "./random-source.ts";
import { refuseOption } from "./refuse-option.ts";
import type { SearchState } from "./search-state.ts";
import { randomPoint } from "./startup-point.ts";

export const RandomSampler = z.object({ kind: z.literal("random"), seed: z.number().int() });
export type RandomSampler = z.infer<typeof RandomSampler>;

/**
 * Every trial anywhere, whatever the others found.
 *
 * @example random({ seed: 1 })
 */
export function random({ seed = 0 }: { readonly seed?: number } = {}): RandomSampler {
  const sampler: RandomSampler = { kind: "random", seed };
  if (!RandomSampler.safeParse(sampler).success)
    refuseOption(`random: the seed ${seed} is not a whole number`, "such as random({ seed: 1 })");
  return sampler;
}

export function randomSamplerPoint({ seed }: RandomSampler, { dimensions, index }: SearchState): Point {
  return randomPoint(dimensions, randomSource(seed, index));
}
