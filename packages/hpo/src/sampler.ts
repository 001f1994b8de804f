import { z } from "zod";
import { type Dimension, dimensionsOf } from "./dimension.ts";
import { GridSampler, gridSetting } from "./grid.ts";
import { Nsga2Sampler, nsga2Point } from "./nsga2.ts";
import { type Point, settingAt } from "./point.ts";
import { RandomSampler, randomSamplerPoint } from "./random.ts";
import type { SearchState } from "./search-state.ts";
import type { Setting, SettingOf, Space } from "./space.ts";
import { TpeSampler, tpePoint } from "./tpe.ts";
import type { Direction, Trial } from "./trial.ts";

/** A sampler is plain data, for it enters keys and is stored. */
export const Sampler = z.discriminatedUnion("kind", [GridSampler, RandomSampler, TpeSampler, Nsga2Sampler]);
export type Sampler = z.infer<typeof Sampler>;

/**
 * The setting of trial `index`, given trials that have ended. Law: it follows from what it is given and nothing else;
 * there is no state between calls, no clock and no chance. The order of `history` and of the space's names says nothing.
 * Trials that still run are simply not in `history`.
 */
export function suggest<S extends Space>(
  sampler: Sampler,
  {
    space,
    directions,
    index,
    history,
  }: {
    readonly space: S;
    readonly directions: readonly Direction[];
    readonly index: number;
    readonly history: readonly Trial[];
  },
): SettingOf<S> & Setting {
  if (sampler.kind === "grid") return gridSetting(space, sampler, index) as SettingOf<S> & Setting;
  const dimensions: readonly Dimension[] = dimensionsOf(space);
  const inOrder = history.toSorted((a, b) => a.index - b.index);
  const point = pointFrom(sampler, { dimensions, directions, index, history: inOrder });
  return settingAt(dimensions, point) as SettingOf<S> & Setting;
}

function pointFrom(sampler: Exclude<Sampler, GridSampler>, state: SearchState): Point {
  switch (sampler.kind) {
    case "random":
      return randomSamplerPoint(sampler, state);
    case "tpe":
      return tpePoint(sampler, state);
    case "nsga2":
      return nsga2Point(sampler, state);
  }
}
