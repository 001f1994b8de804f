import type { CondorSurvey } from "./survey-condor.ts";

/** What a pool has, as far as one job may have it. */
export interface PoolCapacity {
  readonly machines: number;
  /** Those that share files with the submit host, as far as they say. */
  readonly sharingMachines: number;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

export function poolCapacity({
  slots,
  fileSystemDomain,
}: Pick<CondorSurvey, "slots" | "fileSystemDomain">): PoolCapacity {
  const sharing = slots.filter((slot) => fileSystemDomain !== null && slot.fileSystemDomain === fileSystemDomain);
  const most = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b), 0);
  return {
    machines: new Set(slots.map(({ machine }) => machine)).size,
    sharingMachines: new Set(sharing.map(({ machine }) => machine)).size,
    cpus: most(slots.map(({ cpus }) => cpus)),
    memoryBytes: most(slots.map(({ memoryBytes }) => memoryBytes)),
    gpus: most(slots.map(({ gpus }) => gpus)),
  };
}
