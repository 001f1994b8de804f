import { counted } from "./count.ts";

/** How the processes of a distributed task are spread out, `2 nodes x 4 processes`; empty for a task of one process. */
export function formatProcesses({ nodes, processes }: { readonly nodes: number; readonly processes: number }): string {
  if (nodes === 1) return processes === 1 ? "" : counted(processes, "process", "processes");
  return processes === 1 ? counted(nodes, "node") : `${counted(nodes, "node")} x ${processes} processes`;
}
