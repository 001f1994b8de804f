import { type Graph, type Node, type Scope, showLine } from "@wf/core";
import { WfError } from "@wf/protocol";
import type { Resolved } from "./resolved.ts";

/** Why a node did not end well: the task that failed, and the path to here. */
export interface Cause {
  readonly task: string;
  readonly message: string;
}

export type NodeEnd =
  | {
      readonly ok: true;
      readonly values: { readonly [name: string]: Resolved };
      readonly metrics?: { readonly [name: string]: Resolved } | undefined;
    }
  | { readonly ok: false; readonly cause: Cause };

/** One walk through a scope: the workflow itself, one item of a map, one round of a loop, one branch. */
export interface ScopeInstance {
  readonly scope: Scope;
  readonly parent: ScopeInstance | undefined;
  /** Which item of each enclosing map, and which round of each loop, from the outside in. */
  readonly index: readonly number[];
  readonly item: Resolved | undefined;
  readonly state: ReadonlyMap<string, Resolved> | undefined;
  readonly ended: Map<string, NodeEnd>;
  /** Called when a node of this scope has ended. */
  readonly waiting: Map<string, (() => void)[]>;
  /** Nodes that have not ended. */
  remaining: number;
  readonly onEnd: (instance: ScopeInstance) => void;
}

/** The instance of an enclosing scope, or this one. */
export function scopeOf(from: ScopeInstance, scope: number): ScopeInstance {
  for (let instance: ScopeInstance | undefined = from; instance; instance = instance.parent) {
    if (instance.scope.id === scope) return instance;
  }
  throw new WfError("WF_INTERNAL", `scope ${scope} does not enclose scope ${from.scope.id}`);
}

/** The instance of a scope, this one or one around it, in which a node lives. */
export function ownerOf(graph: Graph, from: ScopeInstance, id: string): ScopeInstance {
  const { scope, at } = graph.nodes.get(id) as Node;
  for (let instance: ScopeInstance | undefined = from; instance; instance = instance.parent) {
    if (instance.scope.id === scope) return instance;
  }
  throw new WfError("WF_INPUT_TYPE", `"${id}" is used outside of the body that it belongs to`, {
    where: showLine(at),
    hint: "return it from the body and use the collection that map() gives",
  });
}
