import type { Contender, Outcomes } from "./contender.ts";
import { areaSoFar, type Curve, leastSoFar } from "./curve.ts";
import { DOUBLE_PROBLEMS, type DoubleProblem, type Problem, SINGLE_PROBLEMS, type SingleProblem } from "./problem.ts";

/** What every contender reached on a problem: a curve for every seed. */
export interface Comparison {
  readonly problem: Problem;
  readonly results: readonly { readonly name: string; readonly curves: readonly Curve[] }[];
}

type Say = (text: string) => void;

/** Curves of regret: less is better. */
export async function compareRegrets(
  contenders: readonly Contender<SingleProblem>[],
  seeds: number,
  say: Say,
): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const problem of SINGLE_PROBLEMS) {
    const results = await raceOf(problem, contenders, seeds, leastSoFar, say);
    const least = Math.min(...results.flatMap(({ curves }) => curves.flat()));
    const from = problem.minimum ?? least;
    const regrets = results.map(({ name, curves }) => ({
      name,
      curves: curves.map((curve) => curve.map((value) => value - from)),
    }));
    comparisons.push({ problem, results: regrets });
  }
  return comparisons;
}

/** Curves of the dominated area: more is better. */
export async function compareAreas(
  contenders: readonly Contender<DoubleProblem>[],
  seeds: number,
  say: Say,
): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const problem of DOUBLE_PROBLEMS) {
    const curveOf = (outcomes: Outcomes) => areaSoFar(outcomes, problem.reference);
    comparisons.push({ problem, results: await raceOf(problem, contenders, seeds, curveOf, say) });
  }
  return comparisons;
}

async function raceOf<P extends Problem>(
  problem: P,
  contenders: readonly Contender<P>[],
  seeds: number,
  curveOf: (outcomes: Outcomes) => Curve,
  say: Say,
) {
  const results: { name: string; curves: Curve[] }[] = [];
  for (const { name, search } of contenders) {
    const start = performance.now();
    const curves: Curve[] = [];
    for (let seed = 0; seed < seeds; seed += 1) curves.push(curveOf(await search(problem, seed)));
    say(`${problem.name}: ${name}, ${seeds} searches in ${((performance.now() - start) / 1000).toFixed(0)} s`);
    results.push({ name, curves });
  }
  return results;
}
