import type { EachNode, Graph } from "@wf/core";
import { entryNeeds } from "./dependencies.ts";
import type { ResolvedList } from "./resolved.ts";
import { type NodeEnd, ownerOf, type ScopeInstance } from "./scope-instance.ts";

/** How urgent a node is: the length of the longest path from it to the end. */
export type Rank = (node: string) => number;

/** A fan-out of which some items have not come to life. */
export interface OpenExpansion {
  readonly node: EachNode;
  readonly parent: ScopeInstance;
  readonly items: ResolvedList;
  readonly results: Map<number, NodeEnd>;
  next: number;
  ended: number;
}

/** Fan-outs by urgency. The next item comes from the most urgent one whose items would not merely wait. */
export class OpenExpansions {
  readonly #graph: Graph;
  readonly #rank: Rank;
  readonly #open: OpenExpansion[] = [];
  readonly #needs = new Map<string, ReturnType<typeof entryNeeds>>();

  constructor(graph: Graph, rank: Rank) {
    this.#graph = graph;
    this.#rank = rank;
  }

  /** The most urgent comes last and is taken first; of equals the newest, so that inner fan-outs end before outer ones go on. */
  add(expansion: OpenExpansion): void {
    const rank = this.#rank(expansion.node.id);
    const after = this.#open.findIndex((other) => this.#rank(other.node.id) > rank);
    this.#open.splice(after === -1 ? this.#open.length : after, 0, expansion);
  }

  /** Takes the next item, if there is one that can do something. */
  take(): { readonly expansion: OpenExpansion; readonly index: number } | undefined {
    const expansion = this.#open.findLast((open) => this.#canEnter(open));
    if (!expansion) return undefined;
    const index = expansion.next++;
    if (expansion.next >= expansion.items.count) this.#open.splice(this.#open.indexOf(expansion), 1);
    return { expansion, index };
  }

  #canEnter({ node, parent }: OpenExpansion): boolean {
    let needs = this.#needs.get(node.id);
    if (!needs) {
      needs = entryNeeds(this.#graph, node.body);
      this.#needs.set(node.id, needs);
    }
    return needs.some((set) => set.every((id) => ownerOf(this.#graph, parent, id).ended.has(id)));
  }
}
