import { type Contender, DOUBLE_CONTENDERS, type Outcomes, SINGLE_CONTENDERS } from "./contender.ts";
import { areaSoFar, type Curve, leastSoFar } from "./curve.ts";
import { DOUBLE_PROBLEMS, type Problem, SINGLE_PROBLEMS } from "./problem.ts";
import type { PythonPeer } from "./python-peer.ts";

/** What every contender reached on a problem: a curve for every seed. */
export interface Comparison {
  readonly problem: Problem;
  readonly results: readonly { readonly name: string; readonly curves: readonly Curve[] }[];
}

type Say = (text: string) => void;

/** Curves of regret: less is better. */
export async function compareRegrets(peer: PythonPeer, seeds: number, say: Say): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const problem of SINGLE_PROBLEMS) {
    const results = await raceOf(peer, problem, SINGLE_CONTENDERS, seeds, leastSoFar, say);
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
export async function compareAreas(peer: PythonPeer, seeds: number, say: Say): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const problem of DOUBLE_PROBLEMS) {
    const curveOf = (outcomes: Outcomes) => areaSoFar(outcomes, problem.reference);
    comparisons.push({ problem, results: await raceOf(peer, problem, DOUBLE_CONTENDERS, seeds, curveOf, say) });
  }
  return comparisons;
}

async function raceOf<P extends Problem>(
  peer: PythonPeer,
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
    for (let seed = 0; seed < seeds; seed += 1) curves.push(curveOf(await search(peer, problem, seed)));
    say(`${problem.name}: ${name}, ${seeds} searches in ${((performance.now() - start) / 1000).toFixed(0)} s`);
    results.push({ name, curves });
  }
  return results;
}
