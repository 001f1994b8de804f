import type { Json } from "@wf/core";
import { type Direction, endedTrial, nsga2, type Sampler, suggest, type Trial, tpe } from "@wf/hpo";
import type { DoubleProblem, Problem, SingleProblem } from "./problem.ts";
import type { PythonPeer } from "./python-peer.ts";

/** What the objectives of each trial came to, in order; null for a trial that failed. */
export type Outcomes = readonly (readonly number[] | null)[];

/** Somebody who searches. */
export interface Contender<P extends Problem> {
  readonly name: string;
  search(peer: PythonPeer, problem: P, seed: number): Promise<Outcomes>;
}

export const SINGLE_CONTENDERS: readonly Contender<SingleProblem>[] = [
  { name: "wf", search: (peer, problem, seed) => searchOurselves(peer, problem, tpe({ seed }), ["minimise"]) },
  { name: "Optuna", search: (peer, problem, seed) => searchWithOptuna(peer, problem, seed, 1, "tpe", {}) },
  {
    name: "Optuna, multivariate",
    search: (peer, problem, seed) => searchWithOptuna(peer, problem, seed, 1, "tpe", { multivariate: true }),
  },
];

export const DOUBLE_CONTENDERS: readonly Contender<DoubleProblem>[] = [
  {
    name: "wf",
    search: (peer, problem, seed) =>
      searchOurselves(peer, problem, nsga2({ seed, population: problem.population }), ["minimise", "minimise"]),
  },
  {
    name: "Optuna",
    search: (peer, problem, seed) =>
      searchWithOptuna(peer, problem, seed, 2, "nsga2", { population_size: problem.population }),
  },
];

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

async function searchWithOptuna(
  peer: PythonPeer,
  { name, space, trials }: Problem,
  seed: number,
  objectives: number,
  sampler: string,
  options: { readonly [name: string]: boolean | number },
): Promise<Outcomes> {
  const request = {
    do: "optuna",
    problem: name,
    space: space as unknown as Json,
    objectives,
    sampler,
    options,
    seed,
    trials,
  };
  const { values } = (await peer.ask(request)) as { values: Outcomes };
  return values;
}
