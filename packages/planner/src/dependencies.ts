import { bodiesOf, type Graph, type Node, nodesOf, refsOf, type Scope } from "@wf/core";

const known = new WeakMap<Node, readonly string[]>();

/** The nodes that must have ended before a node can begin. */
export function dependenciesOf(node: Node): readonly string[] {
  const found = known.get(node);
  if (found) return found;
  const ids = new Set(node.after);
  for (const ref of refsOf(node)) nodesOf(ref, ids);
  known.set(node, [...ids]);
  return [...ids];
}

const outside = new WeakMap<Scope, readonly string[]>();

/** The nodes around a body that it returns results of without having made them: they must have ended too. */
export function returnedFromOutside(graph: Graph, scope: Scope): readonly string[] {
  const owner = scope.owner === undefined ? undefined : graph.nodes.get(scope.owner);
  if (!owner) return [];
  const found = outside.get(scope);
  if (found) return found;
  const ids = new Set<string>();
  for (const ref of Object.values(scope.results)) nodesOf(ref, ids);
  if (owner.kind === "repeat") nodesOf(owner.until, ids);
  const around = [...ids].filter((id) => graph.nodes.get(id)?.scope !== scope.id);
  outside.set(scope, around);
  return around;
}

/**
 * What one more walk through a body needs from outside to get anywhere: one of these sets must have ended.
 * An item whose tasks all wait for the same model is not brought to life before the model is there.
 */
export function entryNeeds(graph: Graph, body: number): readonly (readonly string[])[] {
  const { nodes } = graph.scopes[body] as Scope;
  const entries = nodes
    .map((id) => ({ node: graph.nodes.get(id) as Node, needs: dependenciesOf(graph.nodes.get(id) as Node) }))
    .filter(({ needs }) => !needs.some((id) => nodes.includes(id)));
  if (entries.length === 0) return [[]];
  return entries.flatMap(({ node, needs }) => {
    const inner = bodiesOf(node).flatMap((inside) => entryNeeds(graph, inside));
    const outside = inner.map((set) => set.filter((id) => !nodes.includes(id)));
    return (outside.length === 0 ? [[]] : outside).map((set) => [...new Set([...needs, ...set])]);
  });
}
