import type { Clustering } from "@wf/site";

/** How many tasks of a stage share one job. */
export function tasksPerJob(stage: string, clustering: Clustering): number {
  if (clustering.strategy === "none") return 1;
  return clustering.stages[stage] ?? clustering.tasksPerJob;
}

/** Cuts tasks of one stage, in order, into jobs. Every task keeps its own record, cache entry, logs and retries. */
export function clusterTasks<T>(tasks: readonly T[], perJob: number): T[][] {
  const jobs: T[][] = [];
  for (let i = 0; i < tasks.length; i += perJob) jobs.push(tasks.slice(i, i + perJob));
  return jobs;
}
