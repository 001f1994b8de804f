import type { Graph, Node } from "@wf/core";
import { ownerOf, type ScopeInstance } from "./scope-instance.ts";
import { stagesInside } from "./stage-graph.ts";
import type { TaskInstance } from "./task-instance.ts";

/** All tasks of some stages whose numbers begin with these. */
export interface OrderedAfter {
  readonly stages: readonly string[];
  readonly index: readonly number[];
}

/** What must have ended before a task, or before what it is inside of, although it reads nothing of it. */
export function orderedAfter(graph: Graph, task: TaskInstance): readonly OrderedAfter[] {
  const found: OrderedAfter[] = [];
  let node: Node | undefined = task.node;
  for (let scope: ScopeInstance | undefined = task.scope; scope && node; scope = scope.parent) {
    for (const id of node.after) {
      const { index } = ownerOf(graph, scope, id);
      found.push({ stages: stagesInside(graph, graph.nodes.get(id) as Node), index });
    }
    node = scope.scope.owner === undefined ? undefined : graph.nodes.get(scope.scope.owner);
  }
  return found;
}
