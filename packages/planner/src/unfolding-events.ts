import type { Node, TaskNode } from "@wf/core";
import type { WfError } from "@wf/protocol";
import type { Resolved } from "./resolved.ts";
import type { Cause } from "./scope-instance.ts";

/** What happens to the graph itself while it grows. */
export interface UnfoldingEvents {
  /** A fan-out whose size is known now, a branch that was chosen, a round that begins. */
  expanded(expansion: {
    readonly node: Node;
    readonly index: readonly number[];
    readonly count: number;
    readonly over: Resolved;
  }): void;
  /** A fan-out or branch that only a run can expand. */
  unexpandable(point: { readonly node: Node; readonly index: readonly number[]; readonly because: string }): void;
  /** A node that cannot be expanded or started: a mistake that only showed with the data. */
  broken(mistake: {
    readonly node: Node;
    readonly index: readonly number[];
    readonly error: WfError;
    readonly isTolerated: boolean;
  }): void;
  /** A task that cannot run since something that it needs has failed. */
  skipped(task: {
    readonly name: string;
    readonly node: TaskNode;
    readonly index: readonly number[];
    readonly cause: Cause;
  }): void;
}
