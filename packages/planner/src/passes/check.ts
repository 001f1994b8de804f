import { type Resources, showLine, type TaskNode, totalOf, worldSize } from "@wf/core";
import { WfError } from "@wf/protocol";
import type { NamedSite } from "@wf/site";
import { sliceOf } from "./slice.ts";

/** What a machine of a site can give at once; null where a queue takes whatever it is given. */
export interface SiteCapacity {
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

export interface CheckedStage {
  readonly resources: Resources;
  readonly warnings: readonly string[];
}

/** Refuses what can never run, before anything does. Cpus are a wish: fewer are given, and that is said. */
export function checkStage(node: TaskNode, capacity: SiteCapacity | null, site: NamedSite): CheckedStage {
  const where = `task "${node.id}"${node.at ? ` (${showLine(node.at)})` : ""}`;
  checkFn(node, where);
  const { resources, warnings } = sliceOf(node, site);
  if (!capacity) return { resources, warnings };
  const refuse = (what: string, wanted: string, has: string, option: string): never => {
    throw new WfError("WF_RESOURCES", `it asks for ${wanted} of ${what}, and the site has ${has}`, {
      where,
      hint: `ask for less in the task's resources, set resources.${option} of the site in sites.yaml, or use another site with --site`,
    });
  };
  // A site of one machine has all nodes of a distributed task on it; on a cluster each is a machine of its own.
  const onMachine = { ...resources, nodes: site.backend === "local" ? resources.nodes : 1 };
  const { cpus, memoryBytes, gpus } = totalOf(onMachine);
  if (gpus > capacity.gpus) refuse("gpus", String(gpus), String(capacity.gpus), "gpus");
  if (memoryBytes > capacity.memoryBytes) {
    refuse("memory", gigabytes(memoryBytes), gigabytes(capacity.memoryBytes), "memory");
  }
  if (cpus <= capacity.cpus) return { resources, warnings };
  const size = worldSize(onMachine);
  const asker = size === 1 ? node.id : `${node.id}, with ${size} processes,`;
  return {
    resources: { ...resources, cpus: capacity.cpus / size },
    warnings: [...warnings, `${asker} asks for ${cpus} cpus and gets ${capacity.cpus}, all that the site has`],
  };
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

function checkFn(node: TaskNode, where: string): void {
  if (node.declaration.runtime.kind !== "fn") return;
  for (const [name, slot] of Object.entries(node.declaration.outputs)) {
    if (slot.type.kind === "json" || slot.type.kind === "file") continue;
    throw new WfError(
      "WF_FN_SITE",
      `output "${name}" is a ${slot.type.kind}, and a fn makes JSON values and small files`,
      {
        where,
        hint: "make it a task with a command",
      },
    );
  }
}
