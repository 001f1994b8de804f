import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface CgroupLimits {
  readonly cpus: number;
  readonly memoryBytes: number;
}

/**
 * The tightest limits on this process's control group and on the groups around it (version 1 and 2): a batch
 * system sets them on the job, which lies above the step that we run in. Infinity where there is none.
 */
export function readCgroupLimits(membership = "/proc/self/cgroup", root = "/sys/fs/cgroup"): CgroupLimits {
  let cpus = Number.POSITIVE_INFINITY;
  let memoryBytes = Number.POSITIVE_INFINITY;
  for (const line of read(membership).split("\n")) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    for (const group of groupAndAncestors(path)) {
      if (controllers === "") {
        memoryBytes = Math.min(memoryBytes, number(read(join(root, group, "memory.max"))));
        const [quota = "", period = ""] = read(join(root, group, "cpu.max")).split(" ");
        cpus = Math.min(cpus, number(quota) / number(period, 1));
      } else if (controllers.split(",").includes("memory")) {
        memoryBytes = Math.min(memoryBytes, number(read(join(root, "memory", group, "memory.limit_in_bytes"))));
      } else if (controllers.split(",").includes("cpu")) {
        const quota = number(read(join(root, controllers, group, "cpu.cfs_quota_us")));
        cpus = Math.min(cpus, quota / number(read(join(root, controllers, group, "cpu.cfs_period_us")), 1));
      }
    }
  }
  return { cpus, memoryBytes };
}

function groupAndAncestors(path: string): readonly string[] {
  return path === "/" ? ["/"] : [path, ...groupAndAncestors(dirname(path))];
}

/** No file, `max` (version 2) and -1 (version 1) all mean that there is no limit. */
function number(text: string, otherwise = Number.POSITIVE_INFINITY): number {
  const value = Number.parseInt(text, 10);
  return value > 0 ? value : otherwise;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
