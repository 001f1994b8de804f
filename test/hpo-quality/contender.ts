import { type Direction, endedTrial, nsga2, type Sampler, suggest, type Trial, tpe } from "@wf/hpo";
import type { Json } from "@wf/protocol";
import type { DoubleProblem, Problem, SingleProblem } from "./problem.ts";
import type { PythonPeer } from "./python-peer.ts";

/** What the objectives of each trial came to, in order; null for a trial that failed. */
export type Outcomes = readonly (readonly number[] | null)[];

/** Somebody who searches. */
export interface Contender<P extends Problem> {
  readonly name: string;
  search(problem: P, seed: number): Promise<Outcomes>;
}

/** We come first, then the Optuna that we are held against, then its variants and other releases. */
export function singleContenders(peers: readonly PythonPeer[]): readonly Contender<SingleProblem>[] {
  const [reference, ...others] = peers as [PythonPeer, ...PythonPeer[]];
  const optuna = (peer: PythonPeer, options: Options) => (problem: SingleProblem, seed: number) =>
    searchWithOptuna(peer, problem, { objectives: 1, sampler: "tpe", options, seed });
  return [
    {
      name: "wf",
      search: (problem, seed) => searchOurselves(reference, problem, tpe({ seed }), ["minimise"]),
    },
    { name: `Optuna ${reference.optuna}`, search: optuna(reference, {}) },
    { name: `Optuna ${reference.optuna}, multivariate`, search: optuna(reference, { multivariate: true }) },
    ...others.map((peer) => ({ name: `Optuna ${peer.optuna}`, search: optuna(peer, {}) })),
  ];
}

export function doubleContenders(peers: readonly PythonPeer[]): readonly Contender<DoubleProblem>[] {
  const [reference] = peers as [PythonPeer, ...PythonPeer[]];
  return [
    {
      name: "wf",
      search: (problem, seed) =>
        searchOurselves(reference, problem, nsga2({ seed, population: problem.population }), ["minimise", "minimise"]),
    },
    ...peers.map((peer) => ({
      name: `Optuna ${peer.optuna}`,
      search: (problem: DoubleProblem, seed: number) => {
        const options = { population_size: problem.population };
        return searchWithOptuna(peer, problem, { objectives: 2, sampler: "nsga2", options, seed });
      },
    })),
  ];
}

async function searchOurselves(
  peer: PythonPeer,
  { name, space, trials }: Problem,
  sampler: Sampler,
  directions: readonly Direction[],
): Promise<Outcomes> {
  const history: Trial[] = [];
  for (let index = 0; index < trials; index += 1) {
    const setting = suggest(sampler, { space, directions, index, history });
    const { values } = (await peer.ask({ do: "evaluate", problem: name, setting })) as { values: number[] | null };
    history.push(endedTrial({ index, setting, values }));
  }
  return history.map(({ values }) => values);
}

type Options = { readonly [name: string]: boolean | number };

async function searchWithOptuna(
  peer: PythonPeer,
  { name, space, trials }: Problem,
  how: { readonly objectives: number; readonly sampler: string; readonly options: Options; readonly seed: number },
): Promise<Outcomes> {
  const { values } = (await peer.ask({ do: "optuna", problem: name, space: space as Json, trials, ...how })) as {
    values: Outcomes;
  };
  return values;
}
