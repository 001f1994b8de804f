import { parseBytes, parseSeconds } from "./quantity.ts";
import { WfError } from "./wf-error.ts";

/** What a task asks for, as people write it. The site decides where that is found. */
export interface ResourceRequest {
  /** Default 1. */
  readonly cpus?: number;
  /** `"4GB"`. Default: none asked for. */
  readonly memory?: string | number;
  /** Default 0. */
  readonly gpus?: number;
  /** `"30m"`: the task is ended after it. Default: no limit. */
  readonly time?: string | number;
}

export interface Resources {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly timeLimitSeconds: number | null;
}

const KEYS = ["cpus", "memory", "gpus", "time"];

export function parseResources(request: ResourceRequest, where: string): Resources {
  for (const key of Object.keys(request)) {
    if (!KEYS.includes(key)) {
      throw new WfError("WF_DECLARATION", `resources has no property "${key}"`, {
        where,
        hint: `resources are ${KEYS.join(", ")}`,
      });
    }
  }
  const cpus = request.cpus ?? 1;
  const gpus = request.gpus ?? 0;
  if (!(cpus > 0) || !Number.isInteger(gpus) || gpus < 0) {
    throw new WfError(
      "WF_DECLARATION",
      `cpus is ${cpus} and gpus is ${gpus}: cpus must be above 0, gpus a whole number`,
      {
        where,
        hint: "correct the task's resources",
      },
    );
  }
  return {
    cpus,
    gpus,
    memoryBytes: request.memory === undefined ? 0 : parseBytes(request.memory),
    timeLimitSeconds: request.time === undefined ? null : parseSeconds(request.time),
  };
}
