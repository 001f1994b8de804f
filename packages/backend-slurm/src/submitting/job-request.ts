import type { JobSpec } from "@wf/backend";
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

export function requestOf(job: JobSpec): JobRequest {
  return {
    cpus: Math.max(1, Math.ceil(job.cpus)),
    memoryBytes: job.memoryBytes,
    gpus: job.gpus,
    timeSeconds: jobTimeSeconds(job),
    nodes: 1,
    ranksPerNode: 1,
  };
}
