import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import type { SlurmCluster } from "./slurm-cluster.ts";

/** What a command of SLURM prints, where SLURM_CONF names the cluster. */
export function slurm(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8" });
}

/** It may have come back by itself. */
export function bringBack(node: string): void {
  const isDown = () => /down|drain/i.test(slurm("sinfo", "-h", "-n", node, "-o", "%T"));
  if (isDown()) slurm("scontrol", "update", `nodename=${node}`, "state=resume");
}

/** Whether a process is there. One that is dead and not yet forgotten has no executable. */
function isAlive(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== "";
  } catch {
    return false;
  }
}

const LONGEST_GOODBYE_MS = 15_000;

/** Ends a daemon, and knows when it is gone: a controller takes its time to go in order. */
export function endDaemon(cluster: SlurmCluster, name: string, signal: NodeJS.Signals): Promise<void> {
  const pid = daemonOf(cluster, name);
  process.kill(pid, signal);
  const timer = setTimeout(() => process.kill(pid, "SIGKILL"), LONGEST_GOODBYE_MS);
  return until(`the end of ${name}`, () => !isAlive(pid)).then(() => clearTimeout(timer));
}

/** The daemon's process: `slurmctld`, `slurmdbd`, `slurmd-c2`. */
export function daemonOf(cluster: SlurmCluster, name: string): number {
  return Number(readFileSync(join(cluster.folder, "run", `${name}.pid`), "utf8"));
}
