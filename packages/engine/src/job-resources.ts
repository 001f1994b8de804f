import { totalOf } from "@wf/core";
import type { AttemptOf } from "./effects.ts";

interface JobResources {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly diskBytes?: number;
}

/**
 * What a job of these tasks asks for. With the cpus and gpus of one of them they run one after another, so the memory of
 * the one that wants most will do: after a failure it may want more than others of its stage. What they write stays
 * until the job ends.
 */
export function jobResources(tasks: readonly Pick<AttemptOf, "stage">[]): JobResources {
  const [first] = tasks as [Pick<AttemptOf, "stage">];
  const { cpus, gpus } = totalOf(first.stage.resources);
  const memoryBytes = Math.max(...tasks.map(({ stage }) => totalOf(stage.resources).memoryBytes));
  const diskBytes = tasks.reduce((sum, { stage }) => sum + stage.resources.diskBytes, 0);
  return { cpus, memoryBytes, gpus, ...(diskBytes === 0 ? {} : { diskBytes }) };
}
