/**
 * Hyperparameter search: a node of the DAG whose trials are tasks, and the pure functions that it stands on: what may
 * be searched, which setting to try next, when to give a trial up.
 *
 * ```ts
 * const space = { lr: logUniform(1e-4, 1e-1), optimizer: oneOf("name", { sgd: { momentum: uniform(0, 1) }, adam: {} }) };
 * const setting = suggest(tpe({ seed: 1 }), { space, directions: ["minimise"], index: 0, history: [] });
 * setting.optimizer.name; // "sgd" | "adam"
 * ```
 */
export { checkSpace } from "./check-space.ts";
export { type GridSampler, grid, gridSize } from "./grid.ts";
export { type Nsga2Sampler, nsga2 } from "./nsga2.ts";
export { choice, integer, logUniform, oneOf, uniform } from "./parameters.ts";
export { asha, median, Pruner, shouldContinue } from "./pruner.ts";
export { type RandomSampler, random } from "./random.ts";
export { Sampler, suggest } from "./sampler.ts";
export { search } from "./search.ts";
export type { SearchOptions, SearchResult, TrialCall, TrialResult } from "./search-options.ts";
export type { Choice, Integer, LogUniform, OneOf, Parameter, Setting, SettingOf, Space, Uniform } from "./space.ts";
export { bestOf, paretoFront, Study } from "./study.ts";
export { type TpeSampler, tpe } from "./tpe.ts";
export { type CompleteTrial, Direction, endedTrial, type RungResult, Trial } from "./trial.ts";
