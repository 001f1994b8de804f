import { z } from "zod";
import { evenBandwidth, neighbourBandwidth } from "./bandwidth.ts";
import { parzenEstimator } from "./parzen-estimator.ts";
import { type Point, pointOf } from "./point.ts";
import { randomSource } from "./random-source.ts";
import { rankTrials } from "./rank-trials.ts";
import { refuseOption } from "./refuse-option.ts";
import type { SearchState } from "./search-state.ts";
import { latinPoint, randomPoint } from "./startup-point.ts";
import type { Trial } from "./trial.ts";

export const TpeSampler = z.object({
  kind: z.literal("tpe"),
  seed: z.number().int(),
  startup: z.number().int().min(1),
});
export type TpeSampler = z.infer<typeof TpeSampler>;

/**
 * The tree-structured Parzen estimator: it looks where good trials are dense and bad ones are not.
 *
 * - `seed`: another seed is another search. Default 0.
 * - `startup`: so many trials are spread evenly before it starts to learn. Default 10.
 *
 * @example tpe({ seed: 1 })
 */
export function tpe({
  seed = 0,
  startup = 10,
}: {
  readonly seed?: number;
  readonly startup?: number;
} = {}): TpeSampler {
  const sampler: TpeSampler = { kind: "tpe", seed, startup };
  const { success, error } = TpeSampler.safeParse(sampler);
  if (!success) refuseOption(`tpe: ${z.prettifyError(error)}`, "such as tpe({ seed: 1, startup: 10 })");
  return sampler;
}

/** The part of the startup trials that has to have ended: with many at once, the last ones are still running. */
const LEAST_TO_LEARN = 0.5;
/** The part of the scored trials that counts as good. */
const GOOD_PART = 0.2;
/** In observations: how much counts that any point may be good, or bad. */
const PRIOR_WEIGHT = 1;
const CANDIDATES = 24;
/** Every trial looks at the good ones through a lens of its own, so the search neither skips nor settles too early. */
const CLOSEST_LOOK = 0.4;

/**
 * Bergstra et al., "Algorithms for Hyper-Parameter Optimization" (2011), with one estimate over all dimensions
 * together (Falkner et al., "BOHB", 2018). Of the candidates drawn from the good trials' density, the one at which it
 * is largest beside the bad trials' density has the highest expected improvement. Failed trials count as bad, so the
 * search leaves a region where trainings diverge. A setting that was tried is not tried again while others are found.
 */
export function tpePoint({ seed, startup }: TpeSampler, state: SearchState): Point {
  const { dimensions, directions, index, history } = state;
  const random = randomSource(seed, index);
  const ranked = rankTrials(history, directions);
  if (index < startup) return latinPoint(dimensions, { seed, index, count: startup });
  if (history.length < LEAST_TO_LEARN * startup || ranked.length === 0) return randomPoint(dimensions, random);
  const zoom = CLOSEST_LOOK + (1 - CLOSEST_LOOK) * random.next();
  const { good, bad, tried } = estimate(state, ranked, zoom);
  const isFresh = (point: Point) => !tried.has(String(point));
  const drawn = Array.from({ length: CANDIDATES }, () => good.sample(random));
  const anywhere = Array.from({ length: CANDIDATES }, () => randomPoint(dimensions, random));
  const candidates = [drawn.filter(isFresh), anywhere.filter(isFresh), drawn].find((points) => points.length > 0) ?? [];
  return bestBy(candidates, (point) => good.logDensity(point) - bad.logDensity(point));
}

function estimate({ dimensions, history }: SearchState, ranked: readonly Trial[], zoom: number) {
  const place = ({ setting }: Trial) => pointOf(dimensions, setting);
  const goodCount = Math.ceil(GOOD_PART * ranked.length);
  const goodTrials = new Set(ranked.slice(0, goodCount));
  const goodPoints = [...goodTrials].map(place);
  const badPoints = history.filter((trial) => !goodTrials.has(trial)).map(place);
  const good = parzenEstimator(
    dimensions,
    goodPoints.map((point, rank) => ({ point, weight: Math.log((goodCount + 1) / (rank + 1)) })),
    { bandwidth: neighbourBandwidth(goodPoints, zoom), priorWeight: PRIOR_WEIGHT },
  );
  const bad = parzenEstimator(
    dimensions,
    badPoints.map((point) => ({ point, weight: 1 })),
    { bandwidth: evenBandwidth(badPoints), priorWeight: PRIOR_WEIGHT },
  );
  return { good, bad, tried: new Set([...goodPoints, ...badPoints].map(String)) };
}

/** The first of the best. */
function bestBy<T>(candidates: readonly T[], gainOf: (candidate: T) => number): T {
  const gains = candidates.map(gainOf);
  return candidates[gains.indexOf(Math.max(...gains))] as T;
}
