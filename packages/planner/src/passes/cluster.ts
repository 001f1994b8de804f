import type { Clustering } from "@wf/site";

/** How many tasks of a stage share one job. Every task keeps its own record, cache entry, logs and retries. */
export function tasksPerJob(stage: string, clustering: Clustering): number {
  if (clustering.strategy === "none") return 1;
  return clustering.stages[stage] ?? clustering.tasksPerJob;
}
