import { parseBytes, parseSeconds, WfError } from "@wf/protocol";

/**
 * What a task asks for, as people write it. The site decides where that is found. A distributed task has
 * `nodes` x `processes` processes, its ranks; cpus, memory and gpus are those of each of them.
 */
export interface ResourceRequest {
  /** Machines that its processes are spread over. A site of one machine starts them all there. Default 1. */
  readonly nodes?: number;
  /** On each node. Default 1. */
  readonly processes?: number;
  /** Of each process. Default 1. */
  readonly cpus?: number;
  /** Of each process: `"4GB"`. Default: none asked for. */
  readonly memory?: string | number;
  /** Of each process. Default 0. */
  readonly gpus?: number;
  /** Room for what it writes, of all its processes: `"20GB"`. Default: none asked for. */
  readonly disk?: string | number;
  /** `"30m"`: the task is ended after it. Default: no limit. */
  readonly time?: string | number;
}

/** `cpus`, `memoryBytes` and `gpus` are those of each process; `processes` are those of each node. */
export interface Resources {
  readonly nodes: number;
  readonly processes: number;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  /** Of the whole task. */
  readonly diskBytes: number;
  readonly timeLimitSeconds: number | null;
}

/** How many processes a task has: 1 unless it is distributed. */
export function worldSize({ nodes, processes }: Pick<Resources, "nodes" | "processes">): number {
  return nodes * processes;
}

/** What all processes of a task need together. */
export function totalOf(resources: Omit<Resources, "timeLimitSeconds" | "diskBytes">): {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
} {
  const size = worldSize(resources);
  return {
    cpus: resources.cpus * size,
    memoryBytes: resources.memoryBytes * size,
    gpus: resources.gpus * size,
  };
}

const KEYS = ["nodes", "processes", "cpus", "memory", "gpus", "disk", "time"];

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
  const amount = (name: "memory" | "disk" | "time", parse: (text: string | number) => number, none: number | null) => {
    const text = request[name];
    try {
      return text === undefined ? none : parse(text);
    } catch (error) {
      return error instanceof WfError ? wrong(`resources.${name}: ${error.message}`, error.hint) : wrong(String(error));
    }
  };
  const { nodes = 1, processes = 1, cpus = 1, gpus = 0 } = request;
  if (!isCount(nodes) || !isCount(processes)) {
    wrong(`nodes is ${nodes} and processes is ${processes}: both must be whole numbers above 0`);
  }
  if (!Number.isFinite(cpus) || cpus <= 0 || !Number.isInteger(gpus) || gpus < 0) {
    wrong(`cpus is ${cpus} and gpus is ${gpus}: cpus must be above 0, gpus a whole number`);
  }
  const timeLimitSeconds = amount("time", parseSeconds, null);
  if (timeLimitSeconds === 0) wrong("resources.time is 0: the task would be ended before it starts");
  const bytes = (name: "memory" | "disk") => amount(name, parseBytes, 0) ?? 0;
  return { nodes, processes, cpus, gpus, memoryBytes: bytes("memory"), diskBytes: bytes("disk"), timeLimitSeconds };
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) > 0;
}
