import type { Site } from "./site.ts";

/** What each process of a task asks for. */
interface Wanted {
  readonly processes: number;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly timeLimitSeconds: number | null;
}

/**
 * The longest time that the site lets a job run which asks for this much; null where nothing is known to end it. A job
 * that asks for no time gets the site's own, where it names one.
 */
export function longestTimeSeconds(site: Site, wanted: Wanted): number | null {
  if (site.slurm === undefined) return null;
  const { partitions, time } = site.slurm;
  const onNode = (amount: number) => amount * wanted.processes;
  const fitting = partitions.filter(
    ({ cpusPerNode = Number.POSITIVE_INFINITY, memoryPerNode = Number.POSITIVE_INFINITY, gpusPerNode }) =>
      onNode(wanted.cpus) <= cpusPerNode &&
      onNode(wanted.memoryBytes) <= memoryPerNode &&
      onNode(wanted.gpus) <= gpusPerNode,
  );
  const limits = fitting.map(({ maxTime }) => maxTime ?? Number.POSITIVE_INFINITY);
  const longest = Math.min(
    limits.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...limits),
    (wanted.timeLimitSeconds === null ? time : undefined) ?? Number.POSITIVE_INFINITY,
  );
  return Number.isFinite(longest) ? longest : null;
}
