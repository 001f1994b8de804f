import type { EachNode, Graph, Ref, Scope } from "@wf/core";
import { sourcesOf } from "./artifact-source.ts";

/** How many elements a map has, where the graph alone can tell. */
function countOf(graph: Graph, over: Ref): number | undefined {
  switch (over.ref) {
    case "items":
      return over.of.ref === "const" && Array.isArray(over.of.value) ? over.of.value.length : undefined;
    case "list":
      return over.items.length;
    case "zip":
      return Object.values(over.of)
        .map((part) => countOf(graph, part))
        .find((count) => count !== undefined);
    case "result": {
      const node = graph.nodes.get(over.node);
      if (node?.kind !== "each") return undefined;
      return countOf(graph, node.over);
    }
    case "flat": {
      const inner = over.of.ref === "result" ? graph.nodes.get(over.of.node) : undefined;
      const result =
        inner?.kind === "each"
          ? (graph.scopes[inner.body] as Scope).results[(over.of as { name: string }).name]
          : undefined;
      const [many, each] = [countOf(graph, over.of), result && countOf(graph, result)];
      return many === undefined || each === undefined ? undefined : many * each;
    }
    default:
      return undefined;
  }
}

export function showCount(graph: Graph, { over }: EachNode): string {
  return `× ${countOf(graph, over) ?? "n"}`;
}

/** What a map walks over, in words: `row of train`, `chunk of 32 of train`. */
export function showElement(graph: Graph, over: Ref): string {
  const of = (ref: Ref) => [...new Set(sourcesOf(graph, ref).map(({ name }) => name))].join(", ");
  switch (over.ref) {
    case "rows":
      return `row of ${of(over.of)}`;
    case "chunks":
      return `${over.size} rows of ${of(over.of)}`;
    case "column":
      return `${over.column} of ${of(over.of)}`;
    case "files":
      return `file of ${of(over.of)}`;
    case "zip":
      return Object.keys(over.of).join(" and ");
    case "items":
      return over.of.ref === "const" ? "value" : `item of ${of(over.of)}`;
    default:
      return of(over) || "element";
  }
}
