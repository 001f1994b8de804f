import type { SlurmPartition } from "@wf/site";
import type { JobRequest } from "./job-request.ts";

export type PartitionChoice =
  /** Null where the site names none: the cluster's own default. */
  | { readonly type: "chosen"; readonly partition: SlurmPartition | null }
  | { readonly type: "none"; readonly message: string };

/** The first partition of the site that could ever run the job. What a partition does not say is not limited. */
export function choosePartition(request: JobRequest, partitions: readonly SlurmPartition[]): PartitionChoice {
  if (partitions.length === 0) return { type: "chosen", partition: null };
  const misfits: string[] = [];
  for (const partition of partitions) {
    const tooMuch = whatIsTooMuch(request, partition);
    if (tooMuch.length === 0) return { type: "chosen", partition };
    misfits.push(`${partition.name} has ${tooMuch.join(" and ")}`);
  }
  return { type: "none", message: `no partition of the site fits ${showRequest(request)}: ${misfits.join("; ")}` };
}

function whatIsTooMuch(request: JobRequest, partition: SlurmPartition): readonly string[] {
  const limits: readonly (readonly [asked: number, limit: number | undefined, words: string])[] = [
    [request.nodes, partition.maxNodes, `${partition.maxNodes} nodes`],
    [request.cpus * request.ranksPerNode, partition.cpusPerNode, `${partition.cpusPerNode} cpus a node`],
    [request.memoryBytes, partition.memoryPerNode, `${partition.memoryPerNode} bytes a node`],
    [request.gpus, partition.gpusPerNode, `${partition.gpusPerNode} GPUs a node`],
    [request.timeSeconds ?? 0, partition.maxTime, `a limit of ${partition.maxTime} s`],
  ];
  return limits.filter(([asked, limit]) => limit !== undefined && asked > limit).map(([, , words]) => words);
}

function showRequest({ nodes, ranksPerNode, cpus, memoryBytes, gpus, timeSeconds }: JobRequest): string {
  const parts = [`${cpus * ranksPerNode} cpus`, `${memoryBytes} bytes`, `${gpus} GPUs`];
  return `${nodes === 1 ? "" : `${nodes} nodes with `}${parts.join(", ")}${timeSeconds === null ? "" : `, ${timeSeconds} s`}`;
}
