import type { FitSplit, HandleFor, JsonHandle, Maybe, Slot } from "@wf/core";
import type { Pruner } from "./pruner.ts";
import type { Sampler } from "./sampler.ts";
import type { SettingOf, Space } from "./space.ts";
import type { Study } from "./study.ts";
import type { Direction } from "./trial.ts";

// biome-ignore lint/suspicious/noExplicitAny: a slot of any type; the phantom label is not comparable
type CheckpointSlot = Slot<any, any, "one">;

interface SharedOptions {
  /** How many settings are tried. Default: all points of a grid; every other sampler has to be told. */
  readonly trials?: number;
  /**
   * How many trials may be under way at once. Trial i is chosen from the results of trials 0 to i - window, so it is
   * part of the search and not of the machine: another window gives another search. Default 4.
   */
  readonly window?: number;
  /** How settings are chosen. Default `tpe()`, and `nsga2()` for several objectives. */
  readonly sampler?: Sampler;
  /** When a trial is given up: `asha({ rungs: [1, 3, 9] })`. Default: never. */
  readonly pruner?: Pruner;
  /** What a rung leaves for the next one, so that nothing is trained twice: `file("pt")`. Wanted with a pruner. */
  readonly checkpoint?: CheckpointSlot;
  /** What the stages stand under. Default "search". */
  readonly as?: string;
}

/** What is looked for: the most of one metric, the least of it, or a balance of several. */
export type SearchOptions = SharedOptions &
  (
    | { readonly maximise: string; readonly minimise?: never; readonly objectives?: never }
    | { readonly minimise: string; readonly maximise?: never; readonly objectives?: never }
    | {
        readonly objectives: { readonly [name: string]: Direction };
        readonly maximise?: never;
        readonly minimise?: never;
      }
  );

type ObjectiveNames<O> = O extends { readonly maximise: infer N extends string }
  ? N
  : O extends { readonly minimise: infer N extends string }
    ? N
    : O extends { readonly objectives: infer D }
      ? keyof D & string
      : never;

type Score = JsonHandle<number, FitSplit>;

/** Scores by name, or a whole call of a task whose metrics have these names. Test scores do not compile. */
type Scores<N extends string> = { readonly [K in N]: Score } | { readonly metrics: { readonly [K in N]: Score } };

type TypeOf<O> = O extends { readonly checkpoint: Slot<infer T, infer _S, "one"> } ? T : never;

export type TrialResult<O> = Scores<ObjectiveNames<O>> &
  ([TypeOf<O>] extends [never] ? unknown : { readonly checkpoint: HandleFor<TypeOf<O>, FitSplit> });

/** What a trial is given. */
export type TrialCall<S extends Space, O> = {
  /** The setting, to be passed on as parameters: `train(inputs, { ...params, epochs: 3 })`. */
  readonly params: { readonly [K in keyof S]: JsonHandle<SettingOf<S>[K], never> };
  /** Which trial it is, from 0. */
  readonly number: JsonHandle<number, never>;
} & (O extends { readonly pruner: Pruner }
  ? {
      /** How far this rung goes, counted from the start of the trial: such as epochs. */
      readonly budget: number;
    }
  : unknown) &
  ([TypeOf<O>] extends [never]
    ? unknown
    : {
        /** What the rung before has left; absent at the first one. */
        readonly checkpoint: Maybe<HandleFor<TypeOf<O>, never>>;
      });

export interface SearchResult<S extends Space> {
  /** The best setting, as handles. With several objectives: that of the front which is best in the first one. */
  readonly best: { readonly [K in keyof S]: JsonHandle<SettingOf<S>[K], FitSplit> };
  /** What the best setting reached in the first objective. */
  readonly score: JsonHandle<number, FitSplit>;
  /** All trials, as a document. */
  readonly study: JsonHandle<Study, FitSplit>;
}
