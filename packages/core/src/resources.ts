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
  const wrong = (message: string, hint = "correct the task's resources"): never => {
    throw new WfError("WF_DECLARATION", message, { where, hint });
  };
  const amount = (name: "memory" | "time", parse: (text: string | number) => number, none: number | null) => {
    const text = request[name];
    try {
      return text === undefined ? none : parse(text);
    } catch (error) {
      return error instanceof WfError ? wrong(`resources.${name}: ${error.message}`, error.hint) : wrong(String(error));
    }
  };
  const { cpus = 1, gpus = 0 } = request;
  if (!Number.isFinite(cpus) || cpus <= 0 || !Number.isInteger(gpus) || gpus < 0) {
    wrong(`cpus is ${cpus} and gpus is ${gpus}: cpus must be above 0, gpus a whole number`);
  }
  const timeLimitSeconds = amount("time", parseSeconds, null);
  if (timeLimitSeconds === 0) wrong("resources.time is 0: the task would be ended before it starts");
  return { cpus, gpus, memoryBytes: amount("memory", parseBytes, 0) ?? 0, timeLimitSeconds };
}
