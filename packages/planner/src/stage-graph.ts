import {
  bodiesOf,
  type Graph,
  type Node,
  partsOf,
  type Ref,
  refsOf,
  type Scope,
  showLine,
  type TaskNode,
} from "@wf/core";
import { WfError } from "@wf/protocol";
import { DirectedGraph } from "graphology";
import { stronglyConnectedComponents } from "graphology-components";
import { forEachNodeInTopologicalOrder } from "graphology-dag";

/**
 * The graph as people see it: one node a stage, fan-outs folded. Conditions, loops and maps are gone; what they
 * stand on has become edges.
 */
export interface StageGraph {
  readonly graph: DirectedGraph<{ readonly node: TaskNode }>;
  /** From sources to sinks. */
  readonly order: readonly string[];
  /** The longest path to a sink, counted in tasks: what is urgent. */
  readonly ranks: ReadonlyMap<string, number>;
  /** The longest path from a source. */
  readonly levels: ReadonlyMap<string, number>;
}

export function stageGraph(abstract: Graph): StageGraph {
  const graph = new DirectedGraph<{ readonly node: TaskNode }>();
  for (const node of abstract.nodes.values()) if (node.kind === "task") graph.addNode(node.id, { node });
  for (const node of abstract.nodes.values()) {
    if (node.kind !== "task") continue;
    for (const from of stagesBefore(abstract, node)) if (from !== node.id) graph.mergeEdge(from, node.id);
  }
  refuseCycle(abstract, graph);
  const levels = new Map<string, number>();
  forEachNodeInTopologicalOrder(graph, (id, _, level) => levels.set(id, level));
  const order = [...levels.keys()];
  const ranks = new Map<string, number>();
  for (const id of order.toReversed()) {
    ranks.set(id, longest(graph.outNeighbors(id), ranks));
  }
  for (const node of abstract.nodes.values()) {
    if (node.kind === "task") continue;
    ranks.set(node.id, longest(stagesInside(abstract, node), ranks) - 1);
  }
  return { graph, order, ranks, levels };
}

function longest(neighbours: readonly string[], lengths: ReadonlyMap<string, number>): number {
  return neighbours.reduce((most, id) => Math.max(most, (lengths.get(id) ?? 0) + 1), 0);
}

/** The stages inside the bodies of a node, at any depth. */
export function stagesInside(abstract: Graph, node: Node): string[] {
  if (node.kind === "task") return [node.id];
  return bodiesOf(node).flatMap((body) =>
    (abstract.scopes[body] as Scope).nodes.flatMap((id) => stagesInside(abstract, abstract.nodes.get(id) as Node)),
  );
}

function stagesBefore(abstract: Graph, task: TaskNode): Set<string> {
  const before = new Set<string>();
  let node: Node | undefined = task;
  while (node) {
    for (const ref of refsOf(node)) addStages(abstract, ref, before);
    for (const id of node.after)
      for (const stage of stagesInside(abstract, abstract.nodes.get(id) as Node)) before.add(stage);
    const owner: string | undefined = (abstract.scopes[node.scope] as Scope).owner;
    node = owner === undefined ? undefined : abstract.nodes.get(owner);
  }
  return before;
}

/** `seen` keeps a chain of conditions, each of which reads the last one twice, from being walked twice as often each. */
function addStages(abstract: Graph, ref: Ref, into: Set<string>, seen: Set<string> = new Set()): void {
  if (ref.ref === "output" || ref.ref === "metric") into.add(ref.node);
  else if (ref.ref === "result") {
    const key = `${ref.name} of ${ref.node}`;
    if (seen.has(key)) return;
    seen.add(key);
    const node = abstract.nodes.get(ref.node) as Node;
    for (const outer of refsOf(node)) addStages(abstract, outer, into, seen);
    if (node.kind === "repeat") addStages(abstract, node.until, into, seen);
    for (const body of bodiesOf(node)) {
      const inner = (abstract.scopes[body] as Scope).results[ref.name];
      if (inner) addStages(abstract, inner, into, seen);
    }
  }
  for (const part of partsOf(ref)) addStages(abstract, part, into, seen);
}

function refuseCycle(abstract: Graph, graph: StageGraph["graph"]): void {
  const knot = stronglyConnectedComponents(graph).find((stages) => stages.length > 1);
  if (knot === undefined) return;
  const cycle = findCycle(graph, new Set(knot));
  const at = cycle.map((id) => showLine(abstract.nodes.get(id)?.at)).find((line) => line !== undefined);
  throw new WfError("WF_CYCLE", `the graph has a cycle: ${[...cycle, cycle[0]].join(" -> ")}`, {
    where: at,
    hint: "take out one of the inOrder() calls between them",
  });
}

/** Goes back from stage to stage until one comes again: every stage of a strongly connected component has one before it there. */
function findCycle(graph: StageGraph["graph"], among: ReadonlySet<string>): string[] {
  const path: string[] = [];
  let id = [...among][0] as string;
  while (!path.includes(id)) {
    path.push(id);
    id = graph.inNeighbors(id).find((from) => among.has(from)) as string;
  }
  return path.slice(path.indexOf(id)).reverse();
}

/** Which stages a ref reads directly; used to draw edges of the workflow's own outputs. */
export function stagesOf(abstract: Graph, ref: Ref): readonly string[] {
  const into = new Set<string>();
  addStages(abstract, ref, into);
  return [...into];
}
