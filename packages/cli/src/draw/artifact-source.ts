import {
  type ArtifactType,
  bodiesOf,
  type Graph,
  type GraphInput,
  type Node,
  partsOf,
  type Ref,
  type Scope,
  type Slot,
  type TaskNode,
} from "@wf/core";
import { z } from "zod";

const NUMBER: ArtifactType = { kind: "json", schema: z.number() };

/** Where data comes from: an output of a stage, or an input of the workflow. */
export interface ArtifactSource {
  readonly from: { readonly stage: string } | { readonly input: string };
  readonly name: string;
  readonly type: ArtifactType;
}

/** All that a ref is made of. Bodies are seen through: an element of a map comes from what the map walks over. */
export function sourcesOf(graph: Graph, ref: Ref): readonly ArtifactSource[] {
  const found = new Map<string, ArtifactSource>();
  const seen = new Set<string>();
  const add = (source: ArtifactSource) => found.set(JSON.stringify([source.from, source.name]), source);
  const visit = (part: Ref): void => {
    if (part.ref === "output") {
      const { declaration } = graph.nodes.get(part.node) as TaskNode;
      add({ from: { stage: part.node }, name: part.name, type: (declaration.outputs[part.name] as Slot).type });
    } else if (part.ref === "metric") {
      add({ from: { stage: part.node }, name: part.name, type: NUMBER });
    } else if (part.ref === "input") {
      add({ from: { input: part.name }, name: part.name, type: (graph.inputs[part.name] as GraphInput).type });
    } else {
      const key = JSON.stringify(part);
      if (seen.has(key)) return;
      seen.add(key);
      for (const behind of refsBehind(graph, part)) visit(behind);
    }
  };
  visit(ref);
  return [...found.values()];
}

/** One step towards the sources. A loop's state comes from its start; that it comes round again is not followed. */
function refsBehind(graph: Graph, ref: Ref): readonly Ref[] {
  switch (ref.ref) {
    case "result":
      return bodiesOf(graph.nodes.get(ref.node) as Node).flatMap((body) => {
        const result = (graph.scopes[body] as Scope).results[ref.name];
        return result ? [result] : [];
      });
    case "item": {
      const owner = ownerOf(graph, ref.scope);
      return owner?.kind === "each" ? [elementOf(owner.over, ref.field)] : [];
    }
    case "state": {
      const owner = ownerOf(graph, ref.scope);
      const start = owner?.kind === "repeat" ? owner.start[ref.name] : undefined;
      return start ? [start] : [];
    }
    default:
      return partsOf(ref);
  }
}

/** A field of a zipped element comes from the one collection of that name. */
function elementOf(over: Ref, field: string | undefined): Ref {
  return (over.ref === "zip" && field !== undefined && over.of[field]) || over;
}

function ownerOf(graph: Graph, scope: number): Node | undefined {
  const { owner } = graph.scopes[scope] as Scope;
  return owner === undefined ? undefined : graph.nodes.get(owner);
}
