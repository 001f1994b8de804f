import { z } from "zod";
import { childOf } from "./child.ts";
import { type Point, pointOf } from "./point.ts";
import { type RandomSource, randomSource } from "./random-source.ts";
import { rankTrials } from "./rank-trials.ts";
import { refuseOption } from "./refuse-option.ts";
import type { SearchState } from "./search-state.ts";
import { latinPoint, randomPoint } from "./startup-point.ts";

export const Nsga2Sampler = z.object({
  kind: z.literal("nsga2"),
  seed: z.number().int(),
  population: z.number().int().min(2),
});
export type Nsga2Sampler = z.infer<typeof Nsga2Sampler>;

/**
 * A population that moves towards the front of several objectives at once.
 *
 * - `seed`: another seed is another search. Default 0.
 * - `population`: how many trials make a generation; take a fifth to a tenth of all trials. Default 20.
 *
 * @example nsga2({ seed: 1, population: 30 })
 */
export function nsga2({
  seed = 0,
  population = 20,
}: {
  readonly seed?: number;
  readonly population?: number;
} = {}): Nsga2Sampler {
  const sampler: Nsga2Sampler = { kind: "nsga2", seed, population };
  const { success, error } = Nsga2Sampler.safeParse(sampler);
  if (!success) refuseOption(`nsga2: ${z.prettifyError(error)}`, "such as nsga2({ seed: 1, population: 20 })");
  return sampler;
}

/** How often a child that was tried already is made anew. */
const MOST_TWINS = 20;

/**
 * Deb et al., "A fast and elitist multiobjective genetic algorithm: NSGA-II" (2002). Generation g is the trials from
 * g * population on. Its parents are the best of all trials before it, by front and then by crowding distance; parents
 * are picked by binary tournament. Trials of the same generation do not see each other, so a window of parallel trials
 * takes nothing away but the last ones of the generation before.
 */
export function nsga2Point({ seed, population }: Nsga2Sampler, state: SearchState): Point {
  const { dimensions, directions, index, history } = state;
  const random = randomSource(seed, index);
  const generation = Math.floor(index / population);
  if (generation === 0) return latinPoint(dimensions, { seed, index, count: population });
  const before = history.filter((trial) => trial.index < generation * population);
  const parents = rankTrials(before, directions)
    .slice(0, population)
    .map(({ setting }) => pointOf(dimensions, setting));
  if (parents.length < 2) return randomPoint(dimensions, random);

  const tried = new Set(history.map(({ setting }) => String(pointOf(dimensions, setting))));
  let child = childOf(dimensions, [tournament(parents, random), tournament(parents, random)], random);
  for (let twins = 0; twins < MOST_TWINS && tried.has(String(child)); twins += 1)
    child = childOf(dimensions, [tournament(parents, random), tournament(parents, random)], random);
  return child;
}

/** The better of two: parents stand in the order of their ranks. */
function tournament(parents: readonly Point[], random: RandomSource): Point {
  return parents[Math.min(random.below(parents.length), random.below(parents.length))] as Point;
}
