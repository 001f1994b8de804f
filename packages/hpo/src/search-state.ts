import type { Dimension } from "./dimension.ts";
import type { Direction, Trial } from "./trial.ts";

/** What a sampler decides from, beside its own options. */
export interface SearchState {
  readonly dimensions: readonly Dimension[];
  readonly directions: readonly Direction[];
  /** The trial to decide. */
  readonly index: number;
  /** Trials that have ended, in the order of their indices. */
  readonly history: readonly Trial[];
}
