import type { HtcondorSettings } from "./htcondor-settings.ts";
import type { Site } from "./site.ts";
import type { SlurmPartition, SlurmSettings } from "./slurm-settings.ts";

/** What a site says of its largest machines. */
interface Machines {
  readonly backend: Site["backend"];
  readonly slurm?: Pick<SlurmSettings, "partitions"> | undefined;
  readonly htcondor?: Pick<HtcondorSettings, "largest"> | undefined;
}

/** What each process of a task asks for, and how many there are. */
interface Wanted {
  readonly nodes: number;
  readonly processes: number;
  readonly cpus: number;
  readonly gpus: number;
  readonly timeLimitSeconds: number | null;
}

/**
 * The most memory that each process of a task can have which asks for this much of everything else, in bytes. Infinite
 * where the site does not say. `ofMachine`: all that a site without a queue has.
 */
export function mostMemoryBytes(site: Machines, wanted: Wanted, ofMachine: number): number {
  switch (site.backend) {
    case "local":
      return ofMachine / (wanted.nodes * wanted.processes);
    case "htcondor":
      return (site.htcondor?.largest.memory ?? Number.POSITIVE_INFINITY) / wanted.processes;
    case "slurm":
      return mostOfPartitions(site.slurm?.partitions ?? [], wanted) / wanted.processes;
    default:
      site.backend satisfies never;
      throw new TypeError(`no such backend: ${site.backend}`);
  }
}

function mostOfPartitions(
  partitions: readonly SlurmPartition[],
  { nodes, processes, cpus, gpus, timeLimitSeconds }: Wanted,
): number {
  const unlimited = Number.POSITIVE_INFINITY;
  const fitting = partitions.filter(
    ({ maxNodes = unlimited, cpusPerNode = unlimited, gpusPerNode, maxTime = unlimited }) =>
      nodes <= maxNodes &&
      cpus * processes <= cpusPerNode &&
      gpus * processes <= gpusPerNode &&
      (timeLimitSeconds ?? 0) <= maxTime,
  );
  return fitting.length === 0 ? unlimited : Math.max(...fitting.map(({ memoryPerNode = unlimited }) => memoryPerNode));
}
