import { dice } from "../dice.ts";
import { type Disturbance, drawDisturbances } from "./disturbance.ts";
import type { Place } from "./place.ts";
import { drawShape, type Shape } from "./workflow-shape.ts";

/** One workflow and all that happens to it: data, so that it can be printed, repeated and made smaller. */
export interface Round {
  readonly seed: number;
  readonly shape: Shape;
  readonly pause: string;
  readonly disturbances: readonly Disturbance[];
}

const FEWEST_DISTURBANCES = 6;
const MORE_DISTURBANCES = 40;

export function drawRound(
  seed: number,
  { limits, pauses, weights }: Pick<Place, "limits" | "pauses" | "weights">,
): Round {
  const roll = dice(seed);
  return {
    seed,
    shape: drawShape(roll, limits),
    pause: pauses[roll(pauses.length)] as string,
    disturbances: drawDisturbances(roll, weights, FEWEST_DISTURBANCES + roll(MORE_DISTURBANCES)),
  };
}
