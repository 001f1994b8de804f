import type { NodeFacts } from "../parsing/parse-nodes.ts";
import type { PartitionFacts } from "../parsing/parse-partitions.ts";

/** The most that one node of a partition has, as far as the partition lets a job have it. */
export interface PartitionCapacity {
  readonly nodes: number;
  readonly usableNodes: number;
  readonly cpusPerNode: number;
  readonly memoryPerNodeBytes: number;
  readonly gpusPerNode: number;
  /** How a GPU is asked for: with its type, where all GPUs of the partition are of one. */
  readonly gres: string;
  /** Every node has one. */
  readonly isForGpus: boolean;
}

export function partitionCapacity(partition: PartitionFacts, all: readonly NodeFacts[]): PartitionCapacity {
  const nodes = all.filter(({ partitions }) => partitions.includes(partition.name));
  const gpusOf = (node: NodeFacts) => [...node.gpus.values()].reduce((sum, count) => sum + count, 0);
  const types = new Set(nodes.flatMap(({ gpus }) => [...gpus.keys()]));
  const [type] = types;
  return {
    nodes: nodes.length,
    usableNodes: nodes.filter(({ isUsable }) => isUsable).length,
    cpusPerNode: Math.min(partition.maxCpusPerNode, most(nodes.map(({ cpus }) => cpus))),
    memoryPerNodeBytes: Math.min(partition.maxMemoryPerNodeBytes, most(nodes.map(({ memoryBytes }) => memoryBytes))),
    gpusPerNode: most(nodes.map(gpusOf)),
    gres: types.size === 1 && type !== undefined && type !== "" ? `gpu:${type}` : "gpu",
    isForGpus: nodes.length > 0 && nodes.every((node) => gpusOf(node) > 0),
  };
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0);
}
