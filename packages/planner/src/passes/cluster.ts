import { type TaskNode, worldSize } from "@wf/core";
import type { Clustering } from "@wf/site";

/**
 * How many tasks of a stage share one job. Every task keeps its own record, cache entry, logs and retries. A fn has no
 * job, and a distributed task needs all nodes of its own.
 */
export function tasksPerJob({ id, declaration, resources }: TaskNode, clustering: Clustering): number {
  const isAlone = declaration.runtime.kind === "fn" || worldSize(resources) > 1;
  if (isAlone || clustering.strategy === "none") return 1;
  return clustering.stages[id] ?? clustering.tasksPerJob;
}
