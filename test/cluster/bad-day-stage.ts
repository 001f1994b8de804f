import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type BackendHarness, until } from "@wf/backend/contract";
import { SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import { onStageOf, QUICK, type Stage, submittedIds } from "../clusters/bad-day-stage.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { newHarness } from "./slurm-harness.ts";

/** A backend with settings of its own on a storage of its own, for one case. */
export async function onStage(
  cluster: SlurmCluster,
  transport: Transport,
  settings: object,
  act: (stage: Stage) => Promise<void>,
): Promise<void> {
  const parsed = SlurmSettings.parse({ ...QUICK, ...settings });
  await onStageOf(newHarness(cluster, transport, parsed), act);
}

export function slurm(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8" });
}

/** Of a run whose submissions are all of one job. */
export function jobId(harness: BackendHarness): string {
  return submittedIds(harness)[0] as string;
}

export function stillQueued(harness: BackendHarness): readonly string[] {
  const ids = new Set(submittedIds(harness));
  return slurm("squeue", "-h", "-t", "pending,running", "-o", "%F")
    .split("\n")
    .filter((id) => ids.has(id));
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
  return until(() => !isAlive(pid)).finally(() => clearTimeout(timer));
}

/** The daemon's process: `slurmctld`, `slurmdbd`, `slurmd-c2`. */
export function daemonOf(cluster: SlurmCluster, name: string): number {
  return Number(readFileSync(join(cluster.folder, "run", `${name}.pid`), "utf8"));
}
