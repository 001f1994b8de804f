import { z } from "zod";
import { dominates } from "./non-dominated.ts";
import { Pruner } from "./pruner.ts";
import { Sampler } from "./sampler.ts";
import { SpaceSchema } from "./space-schema.ts";
import { type CompleteTrial, Direction, isComplete, lossesOf, lossOf, Trial } from "./trial.ts";

/** A whole search as a document: what was looked for, how, and every trial. */
export const Study = z.object({
  version: z.literal(1),
  space: SpaceSchema,
  objectives: z.array(z.object({ name: z.string(), direction: Direction })).min(1),
  sampler: Sampler,
  pruner: Pruner.nullable(),
  /** Trial i was chosen from the results of trials 0 to i - window. */
  window: z.number().int().positive(),
  trials: z.array(Trial),
});
export type Study = z.infer<typeof Study>;

/**
 * The complete trial that is best in the first objective, the earliest of equals; with several objectives it is one of
 * the front. Undefined if no trial was completed.
 */
export function bestOf(study: Study): CompleteTrial | undefined {
  const direction = study.objectives[0]?.direction;
  const loss = ({ values }: CompleteTrial) => lossOf(values[0] as number, direction);
  return paretoFront(study).toSorted((a, b) => loss(a) - loss(b) || a.index - b.index)[0];
}

/** The complete trials that no other one beats in every objective, by index. Equal ones are all in it. */
export function paretoFront({ trials, objectives }: Study): readonly CompleteTrial[] {
  const directions = objectives.map(({ direction }) => direction);
  const complete = trials.filter(isComplete).sort((a, b) => a.index - b.index);
  const losses = complete.map(({ values }) => lossesOf(values, directions));
  return complete.filter((_, index) => !losses.some((other) => dominates(other, losses[index] as readonly number[])));
}
