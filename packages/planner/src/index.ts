/**
 * Abstract DAG + site + what is already known -> plan. Pure: clocks, files and processes are elsewhere.
 *
 * ```ts
 * for (const line of planLines({ graph, site, capacity, inputs, code, bundleHash, ops, known, useCache: true })) {
 *   if (line.type === "stage") console.log(line.stage, line.run, "to run");
 * }
 * ```
 */
export { type StagedCode, stageKeyParts } from "./key-parts.ts";
export { type OrderedAfter, orderedAfter } from "./ordered-after.ts";
export type { SiteCapacity } from "./passes/check.ts";
export { howToPlace, type PlacedFiles, placeFiles } from "./passes/place.ts";
export { type Decision, decide, type Known, type KnownResult, upstreamOf } from "./passes/reuse.ts";
export { type PlannedStage, type PlanRequest, planLines, planStages, type StagePlan } from "./plan.ts";
export {
  PLAN_VERSION,
  type PlanExpansion,
  PlanHeader,
  type PlanJob,
  PlanLine,
  type PlanReuse,
  type PlanStage,
  type PlanTotals,
} from "./plan-document.ts";
export {
  itemsOf,
  type Later,
  listOf,
  type Resolved,
  type ResolvedJson,
  type ResolvedList,
  unknownIn,
  type ValueOps,
} from "./resolved.ts";
export { inputPath, itemPaths } from "./sandbox-path.ts";
export { type StageGraph, stageGraph, stagesInside, stagesOf } from "./stage-graph.ts";
export type { TaskInstance } from "./task-instance.ts";
export { Unfolding } from "./unfolding.ts";
export type { UnfoldingEvents } from "./unfolding-events.ts";
