import { bodiesOf, type Graph, type Node, type Scope, type TaskNode, type TolerateNode } from "@wf/core";
import { stagesInside } from "@wf/planner";
import type { Group } from "./drawing.ts";
import { showCount, showElement } from "./fan-out.ts";
import { opposite, showCondition } from "./show-condition.ts";

type ControlNode = Exclude<Node, TaskNode>;
type DrawnNode = Exclude<ControlNode, TolerateNode>;

/** Where each stage stands in the picture. */
export interface Grouping {
  readonly groups: readonly Group[];
  readonly groupOf: ReadonlyMap<string, string>;
  /** Counts of the maps that have only this stage inside: they are drawn as a stack instead of a group. */
  readonly countsOf: ReadonlyMap<string, readonly string[]>;
}

/** Groups from the bodies around each stage, and from the names of the workflows that it belongs to. */
export function groupStages(graph: Graph): Grouping {
  const groups = new Map<string, Group>();
  const groupOf = new Map<string, string>();
  const countsOf = new Map<string, readonly string[]>();
  for (const task of graph.nodes.values()) {
    if (task.kind !== "task") continue;
    const counts: string[] = [];
    let inside: string | undefined;
    let depth = 0;
    const enter = (group: Omit<Group, "group">) => {
      if (!groups.has(group.id)) groups.set(group.id, { ...group, group: inside });
      inside = group.id;
    };
    const enterParts = (parts: readonly string[], to: number) => {
      for (; depth < to; depth++) {
        const id = `${inside ?? ""}/part:${parts.slice(0, depth + 1).join("/")}`;
        enter({ id, kind: "part", label: parts[depth] as string, count: undefined });
      }
    };
    const parts = partsOfName(task.id);
    for (const { node, body } of controlsAround(graph, task)) {
      if (node.kind === "tolerate") continue;
      enterParts(parts, depthOf(graph, node));
      if (node.kind === "each" && isSingle(graph, node)) counts.push(showCount(graph, node));
      else enter(groupFor(graph, node, body));
    }
    enterParts(parts, parts.length);
    if (inside !== undefined) groupOf.set(task.id, inside);
    if (counts.length > 0) countsOf.set(task.id, counts);
  }
  return { groups: [...groups.values()], groupOf, countsOf };
}

function partsOfName(id: string): string[] {
  return id.split("/").slice(0, -1);
}

/** From the outermost to the innermost. */
function controlsAround(graph: Graph, task: TaskNode): { node: ControlNode; body: number }[] {
  const around: { node: ControlNode; body: number }[] = [];
  for (let scope = graph.scopes[task.scope]; scope?.owner !== undefined; ) {
    const node = graph.nodes.get(scope.owner) as ControlNode;
    around.unshift({ node, body: scope.id });
    scope = graph.scopes[node.scope];
  }
  return around;
}

function isSingle(graph: Graph, node: ControlNode): boolean {
  const inner = bodiesOf(node).flatMap((body) => (graph.scopes[body] as Scope).nodes);
  const [first] = inner.map((id) => graph.nodes.get(id) as Node);
  if (inner.length !== 1 || !first) return false;
  if (first.kind === "task") return depthOf(graph, node) === partsOfName(first.id).length;
  return first.kind === "each" && isSingle(graph, first);
}

/**
 * How many of the workflows that its stages belong to also hold the node itself. Names do not tell whether a map lies
 * in a part or a part in the map. A neighbour in the same part does, and so does the text: what a body calls stands
 * behind the head of the body, in the same file.
 */
function depthOf(graph: Graph, node: ControlNode): number {
  const scope = graph.scopes[node.scope] as Scope;
  const outer = scope.owner === undefined ? 0 : depthOf(graph, graph.nodes.get(scope.owner) as ControlNode);
  const own = commonParts(graph, node);
  if (isWrittenInside(graph, node)) return Math.max(outer, own.length);
  const neighbours = scope.nodes
    .filter((id) => id !== node.id)
    .map((id) => commonParts(graph, graph.nodes.get(id) as Node));
  const shared = (parts: readonly string[]) => {
    const differs = own.findIndex((part, i) => parts[i] !== part);
    return differs === -1 ? own.length : differs;
  };
  return Math.max(outer, ...neighbours.map(shared));
}

function isWrittenInside(graph: Graph, node: ControlNode): boolean {
  const [first] = stagesInside(graph, node).map((id) => graph.nodes.get(id)?.at);
  return first !== undefined && node.at !== undefined && first.file === node.at.file && first.line >= node.at.line;
}

function commonParts(graph: Graph, node: Node): readonly string[] {
  const [first = [], ...others] = stagesInside(graph, node).map(partsOfName);
  const differs = first.findIndex((part, i) => others.some((other) => other[i] !== part));
  return differs === -1 ? first : first.slice(0, differs);
}

function groupFor(graph: Graph, node: DrawnNode, body: number): Omit<Group, "group"> {
  switch (node.kind) {
    case "each":
      return {
        id: node.id,
        kind: "each",
        label: `for each ${showElement(graph, node.over)}`,
        count: showCount(graph, node),
      };
    case "repeat": {
      const rounds = node.atMost === 1 ? "once" : `at most ${node.atMost} times`;
      return { id: node.id, kind: "repeat", label: `${rounds}, until ${showCondition(node.until)}`, count: undefined };
    }
    case "series": {
      const label = `round after round, ${node.window === 1 ? "one" : node.window} at a time`;
      return { id: node.id, kind: "repeat", label, count: `× ${node.count}` };
    }
    case "when": {
      const label = `if ${showCondition(body === node.no ? opposite(node.condition) : node.condition)}`;
      return { id: `${node.id}:${body}`, kind: "when", label, count: undefined };
    }
  }
}
