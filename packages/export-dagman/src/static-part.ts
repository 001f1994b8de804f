import type { Graph, TaskNode } from "@wf/core";
import {
  decide,
  type Known,
  orderedAfter,
  type PlannedStage,
  type Resolved,
  type StagePlan,
  stagesInside,
  type TaskInstance,
  Unfolding,
  upstreamOf,
  type ValueOps,
} from "@wf/planner";
import { untellable } from "./formula.ts";
import { LeftOut, type LeftOutReason, type LeftOutStage } from "./left-out.ts";

/** A task that exists whatever the others come to. */
export interface StaticTask {
  readonly task: TaskInstance;
  readonly stage: PlannedStage;
  /** Tasks that it waits for without reading anything of them. */
  readonly after: readonly string[];
}

export interface StaticPart {
  /** Each after all that it reads. */
  readonly tasks: readonly StaticTask[];
  /** How many results were known already. */
  readonly reused: number;
  /** How many functions of the workflow were called. */
  readonly called: number;
  readonly leftOut: readonly LeftOutStage[];
  /** What a ref of the workflow itself stands for. */
  readonly output: (name: string) => Resolved;
}

export interface StaticPartRequest {
  readonly graph: Graph;
  readonly plan: StagePlan;
  readonly inputs: ReadonlyMap<string, Resolved>;
  readonly ops: ValueOps;
  /** Null when nothing is to be reused. */
  readonly known: Known | null;
  readonly useCache: boolean;
  /** Calls a function of the workflow all of whose inputs are known. */
  callFn(task: TaskInstance): Promise<Results>;
}

/** Unfolds the graph as a run would, with names of results in place of results. */
export async function staticPart(request: StaticPartRequest): Promise<StaticPart> {
  const { graph, plan, inputs, ops, known, useCache } = request;
  const leftOut = new LeftOut();
  const unfolding = new Unfolding(graph, inputs, ops, {
    expanded: () => undefined,
    skipped: () => undefined,
    broken: ({ error }) => {
      throw error;
    },
    unexpandable: ({ node, because }) => leftOut.addGrowing(node, stagesInside(graph, node), because),
  });
  const tasks: StaticTask[] = [];
  let reused = 0;
  let called = 0;
  for (let task = unfolding.next(); task; task = unfolding.next()) {
    const stage = plan.stages.get(task.node.id) as PlannedStage;
    const decision = known && decide(task, stage.keyParts, known, ops, useCache);
    if (decision?.action === "reuse") {
      reused++;
      unfolding.succeeded(task, decision.from.outputs, decision.from.metrics);
      continue;
    }
    if (task.node.declaration.runtime.kind === "fn" && upstreamOf(task) === undefined) {
      called++;
      unfolding.succeeded(task, await request.callFn(task));
      continue;
    }
    const reason = whyLeftOut(graph, task, unfolding, leftOut);
    if (reason) {
      leftOut.add(task.node.id, reason);
      unfolding.succeeded(task, untold(task, outputsOf(task.node)), untold(task, task.node.declaration.metrics));
      continue;
    }
    tasks.push({ task, stage, after: tasksBefore(graph, task, tasks) });
    unfolding.succeeded(
      task,
      told(task, "output", outputsOf(task.node)),
      told(task, "metric", task.node.declaration.metrics),
    );
  }
  return {
    tasks,
    reused,
    called,
    leftOut: leftOut.list(),
    output: (name) => unfolding.resolve((graph.outputs[name] as Graph["outputs"][string]).ref),
  };
}

function whyLeftOut(
  graph: Graph,
  task: TaskInstance,
  unfolding: Unfolding,
  leftOut: LeftOut,
): LeftOutReason | undefined {
  if (task.node.declaration.runtime.kind === "fn") return { kind: "fn", because: upstreamOf(task) as string };
  if (unfolding.isTolerated(task)) return { kind: "may-fail" };
  for (const value of [...Object.values(task.inputs), ...Object.values(task.params)]) {
    const because = untellable(value);
    if (because !== undefined) return { kind: "reads", because };
  }
  const waited = orderedAfter(graph, task)
    .flatMap(({ stages }) => stages)
    .find((stage) => leftOut.has(stage));
  return waited === undefined ? undefined : { kind: "waits", because: waited };
}

function tasksBefore(graph: Graph, task: TaskInstance, earlier: readonly StaticTask[]): string[] {
  const wanted = orderedAfter(graph, task);
  if (wanted.length === 0) return [];
  return earlier
    .filter(({ task: { node, index } }) =>
      wanted.some((one) => one.stages.includes(node.id) && one.index.every((number, level) => index[level] === number)),
    )
    .map(({ task: { name } }) => name);
}

function outputsOf(node: TaskNode): readonly string[] {
  return Object.keys(node.declaration.outputs);
}

type Results = { readonly [name: string]: Resolved };

function told(task: TaskInstance, op: "output" | "metric", names: readonly string[]): Results {
  const result = (name: string): Resolved => ({
    kind: "unknown",
    because: task.name,
    later: { op, task: task.name, name },
  });
  return Object.fromEntries(names.map((name) => [name, result(name)]));
}

function untold(task: TaskInstance, names: readonly string[]): Results {
  return Object.fromEntries(names.map((name) => [name, { kind: "unknown", because: task.name }]));
}
