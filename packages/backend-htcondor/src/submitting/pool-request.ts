import type { Fit } from "@wf/backend-cluster";
import type { JobSpec } from "@wf/protocol";
import type { HtcondorSettings } from "@wf/site";

/** What a job asks of the pool. Jobs that agree in it may be submitted together. */
export interface PoolRequest {
  readonly cpus: number;
  /** 0 leaves it to the pool. */
  readonly memoryBytes: number;
  readonly gpus: number;
  /** 0 leaves it to the pool. */
  readonly diskBytes: number;
  /** Longest grace of its tasks. */
  readonly graceSeconds: number;
}

/** A job of HTCondor is on one machine. What a pool does not say of its largest machine is not limited. */
export function fitPool(job: JobSpec, largest: HtcondorSettings["largest"]): Fit<PoolRequest> {
  const { cpus, memoryBytes, gpus, diskBytes = 0, tasks } = job;
  const nodes = tasks[0]?.ranks?.nodes ?? 1;
  if (nodes > 1) {
    const message = `it asks for ${nodes} nodes, and a job of HTCondor has one machine: ask for more processes on one node`;
    return { type: "none", message };
  }
  const wholeCpus = Math.max(1, Math.ceil(cpus));
  const limits: readonly (readonly [asked: number, limit: number | undefined, words: string])[] = [
    [wholeCpus, largest.cpus, "cpus"],
    [memoryBytes, largest.memory, "bytes of memory"],
    [gpus, largest.gpus, "GPUs"],
  ];
  const tooMuch = limits.filter(([asked, limit]) => limit !== undefined && asked > limit);
  if (tooMuch.length > 0) {
    const asked = tooMuch.map(([amount, , words]) => `${amount} ${words}`).join(" and ");
    const has = tooMuch.map(([, limit, words]) => `${limit} ${words}`).join(" and ");
    return { type: "none", message: `no machine of the pool fits ${asked}: the largest has ${has} (htcondor.largest)` };
  }
  const graceSeconds = Math.max(...tasks.map((task) => task.graceSeconds));
  return { type: "fits", request: { cpus: wholeCpus, memoryBytes, gpus, diskBytes, graceSeconds } };
}
