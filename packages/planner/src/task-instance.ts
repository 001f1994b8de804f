import type { TaskNode } from "@wf/core";
import type { Resolved } from "./resolved.ts";
import type { ScopeInstance } from "./scope-instance.ts";

/** One execution of a task node: its stage and the place of each enclosing fan-out. */
export interface TaskInstance {
  /** `preprocess.12`: unique in the run, the same in every run of the same graph and data. */
  readonly name: string;
  readonly node: TaskNode;
  readonly index: readonly number[];
  readonly inputs: { readonly [name: string]: Resolved };
  readonly params: { readonly [name: string]: Resolved };
  readonly scope: ScopeInstance;
}
