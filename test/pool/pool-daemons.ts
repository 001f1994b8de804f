import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { CondorPool } from "../clusters/condor-cluster.ts";

/** Kills all processes of a program of the pool: `sbin/condor_startd`. Its master starts daemons again. */
export function killProgram(pool: CondorPool, name: string): void {
  const program = join(pool.folder, "root/usr", name);
  for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    if (programOf(pid) === program) process.kill(Number(pid), "SIGKILL");
  }
}

function programOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}
