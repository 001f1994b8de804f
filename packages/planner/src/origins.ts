import { type EachNode, type Graph, partsOf, type Ref } from "@wf/core";
import { itemsOf, type Resolved } from "./resolved.ts";
import { type ScopeInstance, scopeOf } from "./scope-instance.ts";

/**
 * What a value was cut or put together from on the way to a task: the dataset of a chunk, the chunks of a merge.
 * No task made such a value, so its lineage goes through these. Values that a task made, or the user gave, have none.
 */
export function originsOf(
  graph: Graph,
  ref: Ref,
  from: ScopeInstance,
  resolve: (ref: Ref, from: ScopeInstance) => Resolved,
): Resolved[] {
  switch (ref.ref) {
    case "rows":
    case "chunks":
    case "column":
    case "pick":
    case "files":
    case "field":
    case "items":
    case "merge":
      return [...artifactsIn(resolve(ref.of, from)), ...originsOf(graph, ref.of, from, resolve)];
    case "table":
      return partsOf(ref).flatMap((part) => [
        ...artifactsIn(resolve(part, from)),
        ...originsOf(graph, part, from, resolve),
      ]);
    case "list":
    case "flat":
    case "present":
    case "zip":
    case "else":
      return partsOf(ref).flatMap((part) => originsOf(graph, part, from, resolve));
    case "item":
      return originsOfItems(graph, scopeOf(from, ref.scope), resolve);
    default:
      return [];
  }
}

const known = new WeakMap<ScopeInstance, Map<string, Resolved[]>>();

/** All items of one fan-out come from the same, so it is found once and not once an item. */
function originsOfItems(graph: Graph, { scope, parent }: ScopeInstance, resolve: Parameters<typeof originsOf>[3]) {
  const owner = graph.nodes.get(scope.owner as string) as EachNode;
  const around = parent as ScopeInstance;
  const byNode = known.get(around) ?? new Map<string, Resolved[]>();
  known.set(around, byNode);
  const found = byNode.get(owner.id) ?? originsOf(graph, owner.over, around, resolve);
  byNode.set(owner.id, found);
  return found;
}

function artifactsIn(value: Resolved): Resolved[] {
  switch (value.kind) {
    case "file":
    case "directory":
    case "dataset":
    case "json":
      return [value];
    case "list":
      return itemsOf(value).flatMap(artifactsIn);
    default:
      return [];
  }
}

/** Whether a ref can have origins at all; most have none. */
export function isDerived(ref: Ref): boolean {
  switch (ref.ref) {
    case "const":
    case "absent":
    case "input":
    case "output":
    case "metric":
    case "result":
    case "state":
    case "index":
      return false;
    case "list":
      return ref.items.some(isDerived);
    default:
      return true;
  }
}
