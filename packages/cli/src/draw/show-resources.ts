import type { TaskNode } from "@wf/core";
import { formatBytes } from "../format/bytes.ts";
import { formatProcesses } from "../format/processes.ts";

/** What a stage runs in and asks for, where it is more than the usual: `python · 4 processes · 2 cpus · 8 GB · 1 gpu`. */
export function showResources({ declaration, resources }: TaskNode): string {
  const { cpus, gpus, memoryBytes, diskBytes } = resources;
  const processes = formatProcesses(resources);
  const many = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
  return [
    ...(declaration.runtime.kind === "command" ? [] : [declaration.runtime.kind]),
    ...(processes === "" ? [] : [processes]),
    ...(cpus === 1 ? [] : [many(cpus, "cpu")]),
    ...(memoryBytes === 0 ? [] : [formatBytes(memoryBytes).replace(/\.0+ /, " ")]),
    ...(gpus === 0 ? [] : [many(gpus, "gpu")]),
    ...(diskBytes === 0 ? [] : [`${formatBytes(diskBytes).replace(/\.0+ /, " ")} of disk`]),
  ].join(" · ");
}
