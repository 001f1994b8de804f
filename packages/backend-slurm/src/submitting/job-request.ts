import type { JobSpec } from "@wf/protocol";
import { jobTimeSeconds } from "./job-time.ts";

/** What a job asks of SLURM. */
export interface JobRequest {
  /** Of each rank. */
  readonly cpus: number;
  /** On each node; 0 leaves it to the partition. */
  readonly memoryBytes: number;
  /** On each node. */
  readonly gpus: number;
  /** Null leaves it to the site. */
  readonly timeSeconds: number | null;
  readonly nodes: number;
  readonly ranksPerNode: number;
}

/** A distributed task is alone in its job; what a job counts is what all its ranks need together. */
export function requestOf(job: JobSpec): JobRequest {
  const { nodes, perNode } = job.tasks[0]?.ranks ?? { nodes: 1, perNode: 1 };
  return {
    cpus: Math.max(1, Math.ceil(job.cpus / nodes / perNode)),
    memoryBytes: job.memoryBytes / nodes,
    gpus: job.gpus / nodes,
    timeSeconds: jobTimeSeconds(job),
    nodes,
    ranksPerNode: perNode,
  };
}
