import { type PartitionCapacity, type PartitionFacts, partitionCapacity, type SlurmSurvey } from "@wf/backend-slurm";
import { memoryText, timeText } from "./amount-text.ts";

/** A partition as it would stand in sites.yaml, and what was found of it. */
export interface DraftPartition {
  readonly facts: PartitionFacts;
  readonly capacity: PartitionCapacity;
  readonly settings: Readonly<Record<string, string | number>> & { readonly name: string };
}

/**
 * The partitions of a cluster in the order in which a site should try them: the default one, so that a job that says
 * nothing goes where the cluster would send it, then those without GPUs, then those with them.
 */
export function draftPartitions({ partitions, nodes }: SlurmSurvey): readonly DraftPartition[] {
  const found = partitions.map((facts) => ({ facts, capacity: partitionCapacity(facts, nodes) }));
  const hasGpuPartition = found.some(({ capacity }) => capacity.isForGpus);
  const usable = found.filter(({ facts, capacity }) => facts.isUp && capacity.nodes > 0);
  const rank = ({ facts, capacity }: (typeof found)[number]) => (facts.isDefault ? 0 : capacity.isForGpus ? 2 : 1);
  return usable
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ facts, capacity }) => ({
      facts,
      capacity,
      settings: settingsOf(facts, capacity, capacity.isForGpus || !hasGpuPartition),
    }));
}

/** `takesGpuJobs`: not where GPUs are only on some nodes, and another partition is made for them. */
function settingsOf(
  facts: PartitionFacts,
  capacity: PartitionCapacity,
  takesGpuJobs: boolean,
): DraftPartition["settings"] {
  const { cpusPerNode, memoryPerNodeBytes, gpusPerNode, gres, nodes } = capacity;
  return {
    name: facts.name,
    ...(Number.isFinite(facts.maxTimeSeconds) ? { maxTime: timeText(facts.maxTimeSeconds) } : {}),
    maxNodes: Math.min(facts.maxNodes, nodes),
    cpusPerNode,
    // Where a cluster does not manage memory, its nodes say 1 MB.
    ...(memoryPerNodeBytes > 2 ** 20 ? { memoryPerNode: memoryText(memoryPerNodeBytes) } : {}),
    ...(gpusPerNode > 0 && takesGpuJobs ? { gpusPerNode, gres } : {}),
  };
}
