import { bodiesOf, type Graph, type Node, type Scope, type TaskNode } from "@wf/core";
import { type KeyPart, parseTaskName, plannedJobName, type RuntimeWish, taskName } from "@wf/protocol";
import type { NamedSite } from "@wf/site";
import { dependenciesOf } from "./dependencies.ts";
import { type StagedCode, stageKeyParts } from "./key-parts.ts";
import { auxiliaryJobs } from "./passes/auxiliary.ts";
import { type CheckedStage, checkStage, type SiteCapacity } from "./passes/check.ts";
import { tasksPerJob } from "./passes/cluster.ts";
import { warnOfJobTime } from "./passes/job-time.ts";
import { decide, decideUnknown, type Known, upstreamOf } from "./passes/reuse.ts";
import type { PlanExpansion, PlanJob, PlanLine, PlanStage, PlanTotals } from "./plan-document.ts";
import type { Resolved, ValueOps } from "./resolved.ts";
import { type StageGraph, stageGraph, stagesInside } from "./stage-graph.ts";
import type { TaskInstance } from "./task-instance.ts";
import { Unfolding } from "./unfolding.ts";

/** Everything that planning stands on: the abstract DAG, the site, and what is already known. */
export interface PlanRequest {
  readonly graph: Graph;
  readonly site: NamedSite;
  readonly capacity: SiteCapacity | null;
  readonly inputs: ReadonlyMap<string, Resolved>;
  /** Files of the project that each stage needs. */
  readonly code: ReadonlyMap<string, readonly StagedCode[]>;
  /** What the Python of a stage must offer. Default: nothing beyond a python3. */
  readonly wishes?: ReadonlyMap<string, RuntimeWish>;
  readonly bundleHash: string;
  readonly ops: ValueOps;
  /** Null when there is nothing to reuse: then no key need be known. */
  readonly known: Known | null;
  readonly useCache: boolean;
}

/** What the engine needs to know of a stage, decided once. */
export interface PlannedStage extends CheckedStage {
  readonly node: TaskNode;
  readonly keyParts: readonly KeyPart[];
  readonly code: readonly StagedCode[];
  /** Null where nothing has to be prepared before its tasks can run. */
  readonly wish: RuntimeWish | null;
  readonly tasksPerJob: number;
  readonly rank: number;
}

export interface StagePlan {
  readonly stages: ReadonlyMap<string, PlannedStage>;
  readonly stageGraph: StageGraph;
}

/** The passes that do not depend on the size of the data. */
export function planStages(
  request: Pick<PlanRequest, "graph" | "site" | "capacity" | "code" | "wishes" | "bundleHash">,
): StagePlan {
  const graph = stageGraph(request.graph);
  const stages = new Map<string, PlannedStage>();
  for (const id of graph.order) {
    const { node } = graph.graph.getNodeAttributes(id);
    const code = request.code.get(id) ?? [];
    const wish = request.wishes?.get(id) ?? null;
    const checked = checkStage(node, request.capacity, request.site);
    const inJob = tasksPerJob(node, request.site.clustering);
    stages.set(id, {
      ...checked,
      warnings: [...checked.warnings, ...warnOfJobTime(id, checked.resources, inJob, request.site)],
      node,
      code,
      wish,
      keyParts: stageKeyParts(node, code, { hash: request.bundleHash, params: request.graph.params }, wish),
      tasksPerJob: inJob,
      rank: graph.ranks.get(id) ?? 0,
    });
  }
  return { stages, stageGraph: graph };
}

/** How many tasks of a stage are asked why they run; the rest is counted. */
const MOST_EXPLAINED = 5;

interface Tally {
  tasks: number;
  run: number;
  reuse: number;
  jobs: number;
  readonly reasons: Map<string, number>;
  readonly growsAfter: Set<string>;
  readonly pending: TaskInstance[];
}

/** Plans the whole run, line by line. Linear in the number of tasks; only what is not yet in a job is kept. */
export function* planLines(request: PlanRequest): Generator<Exclude<PlanLine, { type: "plan" }>> {
  const { stages, stageGraph: graph } = planStages(request);
  const tallies = new Map<string, Tally>();
  for (const stage of stages.keys()) {
    tallies.set(stage, { tasks: 0, run: 0, reuse: 0, jobs: 0, reasons: new Map(), growsAfter: new Set(), pending: [] });
  }
  const expansions: PlanExpansion[] = [];
  const unfolding = new Unfolding(
    request.graph,
    request.inputs,
    request.ops,
    {
      expanded: () => undefined,
      skipped: () => undefined,
      broken: ({ error }) => {
        throw error;
      },
      unexpandable: ({ node, index, because }) => {
        const inside = stagesInside(request.graph, node);
        for (const stage of inside) tallies.get(stage)?.growsAfter.add(because);
        expansions.push({
          type: "expansion",
          node: node.id,
          kind: node.kind as PlanExpansion["kind"],
          index: [...index],
          because,
          stages: inside,
        });
      },
    },
    (id) => graph.ranks.get(id) ?? 0,
  );

  const auxiliary = auxiliaryJobs(Object.keys(request.graph.inputs), Object.keys(request.graph.outputs));
  for (const { id, kind, does } of auxiliary) yield { type: "job", job: id, kind, tasks: [], container: null, does };

  for (let task = unfolding.next(); task; task = unfolding.next()) {
    const stage = stages.get(task.node.id) as PlannedStage;
    const tally = tallies.get(task.node.id) as Tally;
    const decision = request.known
      ? decide(task, stage.keyParts, request.known, request.ops, request.useCache)
      : decideUnknown(task, request.useCache);
    tally.tasks++;
    if (decision.action === "reuse") {
      tally.reuse++;
      yield { type: "reuse", task: task.name, run: decision.from.run, from: decision.from.task };
      unfolding.succeeded(task, decision.from.outputs, decision.from.metrics);
      continue;
    }
    tally.run++;
    countReason(tally, task, decision, request.known);
    tally.pending.push(task);
    if (tally.pending.length === stage.tasksPerJob) yield jobOf(stage, tally, request.graph);
    unfolding.succeeded(task, unknownOutputs(task), unknownMetrics(task));
  }
  for (const [id, tally] of tallies) {
    if (tally.pending.length > 0) yield jobOf(stages.get(id) as PlannedStage, tally, request.graph);
  }
  yield* expansions;

  const totals = {
    type: "totals" as const,
    tasks: 0,
    run: 0,
    reuse: 0,
    jobs: 0,
    auxiliary: auxiliary.length,
    expansions: expansions.length,
  };
  for (const id of graph.order) {
    const tally = tallies.get(id) as Tally;
    const line: PlanStage = {
      type: "stage",
      stage: id,
      level: graph.levels.get(id) ?? 0,
      tasks: tally.tasks,
      run: tally.run,
      reuse: tally.reuse,
      jobs: tally.jobs,
      growsAfter: [...tally.growsAfter],
      after: graph.graph.inNeighbors(id),
      carried: carriedInputs((stages.get(id) as PlannedStage).node),
      reasons: [...tally.reasons].map(([reason, times]) => (times > 1 ? `${reason} (${times})` : reason)),
      warnings: [...(stages.get(id) as PlannedStage).warnings],
    };
    totals.tasks += tally.tasks;
    totals.run += tally.run;
    totals.reuse += tally.reuse;
    totals.jobs += tally.jobs;
    yield line;
  }
  yield totals satisfies PlanTotals;
}

function carriedInputs(node: TaskNode): string[] {
  return Object.entries(node.inputs)
    .filter(([, input]) => input.carried)
    .map(([name]) => name);
}

function jobOf(stage: PlannedStage, tally: Tally, graph: Graph): PlanJob {
  const tasks = tally.pending.splice(0).map((task) => ({ task: task.name, after: tasksBefore(task, graph) }));
  tally.jobs++;
  return {
    type: "job",
    job: plannedJobName(tasks[0]?.task ?? ""),
    kind: "compute",
    stage: stage.node.id,
    tasks,
    resources: stage.resources,
    container: null,
  };
}

/** What must have ended before this task: by name where it is one task, as `STAGE.*` where it is a fan-out or a loop. */
function tasksBefore(task: TaskInstance, graph: Graph): string[] {
  const before: string[] = [];
  for (const id of dependenciesOf(task.node)) {
    let scope: TaskInstance["scope"] | undefined = task.scope;
    while (scope && !scope.ended.has(id)) scope = scope.parent;
    if (scope) before.push(...tasksOf(graph, id, scope.index));
  }
  return before;
}

function tasksOf(graph: Graph, id: string, index: readonly number[], suffix = ""): string[] {
  const node = graph.nodes.get(id) as Node;
  if (node.kind === "task") return [`${taskName(id, index)}${suffix}`];
  const inside = bodiesOf(node).flatMap((body) => (graph.scopes[body] as Scope).nodes);
  return inside.flatMap((inner) => tasksOf(graph, inner, index, isOnce(node) ? suffix : ".*"));
}

/** Whether the tasks inside bear the numbers of what is around them, and none of their own. */
function isOnce(node: Node): boolean {
  return node.kind === "when" || node.kind === "tolerate";
}

function countReason(
  tally: Tally,
  task: TaskInstance,
  decision: { because: string; parts: readonly KeyPart[] },
  known: Known | null,
): void {
  const { reasons } = tally;
  let reason: string;
  if (decision.because === "upstream") reason = `${stageOf(upstreamOf(task) ?? "")} runs first`;
  else if (decision.because === "policy") reason = "the cache is not used";
  else if (known === null) reason = "never ran before";
  else if (known.explain && tally.run <= MOST_EXPLAINED)
    reason = known.explain(task.name, task.node.id, decision.parts);
  else reason = known.explain ? "others, not compared" : "not in the cache";
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

function stageOf(task: string): string {
  return parseTaskName(task)?.stage ?? task;
}

function unknownOutputs(task: TaskInstance): { [name: string]: Resolved } {
  const outputs: Record<string, Resolved> = {};
  for (const name in task.node.declaration.outputs) outputs[name] = { kind: "unknown", because: task.name };
  return outputs;
}

function unknownMetrics(task: TaskInstance): { [name: string]: Resolved } {
  return Object.fromEntries(
    task.node.declaration.metrics.map((name) => [name, { kind: "unknown", because: task.name }]),
  );
}
