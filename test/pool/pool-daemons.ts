import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { CondorPool } from "../clusters/condor-cluster.ts";

/** Kills all processes of a program of the pool: `sbin/condor_startd`. Its master starts daemons again. Returns how many. */
export function killProgram(pool: CondorPool, name: string): number {
  const program = join(pool.folder, "root/usr", name);
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && programOf(entry) === program);
  for (const pid of pids) process.kill(Number(pid), "SIGKILL");
  return pids.length;
}

function programOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}
