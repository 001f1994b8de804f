import { type Graph, json, many, task } from "@wf/core";
import { z } from "zod";
import { itemsOf, type Resolved, type ResolvedJson } from "./resolved.ts";
import type { TaskInstance } from "./task-instance.ts";
import { MemoryValues } from "./test-value-ops.ts";
import { Unfolding } from "./unfolding.ts";
import type { UnfoldingEvents } from "./unfolding-events.ts";

/** Small arithmetic, so that a test can say what a graph must come to. */
export const listed = task({
  name: "listed",
  outputs: { all: json(z.array(z.number())) },
  params: z.object({ size: z.number().default(3) }),
  command: ({ params }) => ["seq", params.size],
});
export const double = task({
  name: "double",
  outputs: { n: json(z.number()) },
  params: z.object({ n: z.number() }),
  metrics: ["size"],
  command: ({ params }) => ["double", params.n],
});
export const sum = task({
  name: "sum",
  inputs: { all: many(json(z.number())) },
  outputs: { n: json(z.number()) },
  command: ({ inputs }) => ["sum", inputs.all],
});

export const number = (value: number): ResolvedJson => ({ kind: "json", value });

/** A value as JSON; what is no JSON by its kind. */
export function plain(value: Resolved | undefined): unknown {
  if (value?.kind === "list") return itemsOf(value).map(plain);
  return value?.kind === "json" ? value.value : value?.kind;
}

type Outputs = { readonly [name: string]: Resolved };

/** What the tasks above come to; others make nothing. */
export function compute({ node, inputs, params }: TaskInstance): Outputs {
  switch (node.declaration.name) {
    case "listed":
      return { all: { kind: "json", value: Array.from({ length: plain(params.size) as number }, (_, i) => i) } };
    case "double":
      return { n: number(2 * (plain(params.n) as number)), size: number(plain(params.n) as number) };
    case "sum":
      return { n: number((plain(inputs.all) as number[]).reduce((a, b) => a + b, 0)) };
    default:
      return {};
  }
}

/** Everything that an unfolding told, and the names of the tasks that ran, in order. */
export class Growth {
  readonly ran: string[] = [];
  readonly expanded: Parameters<UnfoldingEvents["expanded"]>[0][] = [];
  readonly unexpandable: Parameters<UnfoldingEvents["unexpandable"]>[0][] = [];
  readonly broken: Parameters<UnfoldingEvents["broken"]>[0][] = [];
  readonly skipped: Parameters<UnfoldingEvents["skipped"]>[0][] = [];
  readonly unfolding: Unfolding;
  readonly #graph: Graph;

  constructor(
    graph: Graph,
    inputs: Readonly<Record<string, Resolved>> = {},
    ops = new MemoryValues(),
    rank?: (node: string) => number,
  ) {
    this.#graph = graph;
    const events: UnfoldingEvents = {
      expanded: (event) => this.expanded.push(event),
      unexpandable: (event) => this.unexpandable.push(event),
      broken: (event) => this.broken.push(event),
      skipped: (event) => this.skipped.push(event),
    };
    this.unfolding = new Unfolding(graph, new Map(Object.entries(inputs)), ops, events, rank);
  }

  /** Runs what becomes ready, one task at a time. What `work` gives are outputs and metrics; undefined is a failure. */
  run(work: (task: TaskInstance) => Outputs | undefined = compute): this {
    for (let task = this.unfolding.next(); task; task = this.unfolding.next()) {
      this.ran.push(task.name);
      const outputs = work(task);
      if (outputs) this.unfolding.succeeded(task, outputs, outputs);
      else this.unfolding.failed(task, `${task.name} failed`);
    }
    return this;
  }

  output(name: string): unknown {
    const output = this.#graph.outputs[name];
    return output && plain(this.unfolding.resolve(output.ref));
  }
}
