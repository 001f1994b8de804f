import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CondorPool } from "../../clusters/condor-cluster.ts";
import { writableFolder } from "./bench-pool.ts";

const LOOK_MS = 50;
const PATIENCE_MS = 600_000;

/** Seconds from condor_submit until the log says of every job of a cluster that it has slept. */
export async function handWrittenCluster(pool: CondorPool, count: number, nap: number): Promise<number> {
  const folder = writableFolder(pool.folder);
  const log = join(folder, "naps.log");
  const description = `executable = /bin/sleep\narguments = ${nap}\nlog = naps.log\nqueue ${count}\n`;
  writeFileSync(join(folder, "naps.sub"), description);
  const start = performance.now();
  execFileSync("condor_submit", ["naps.sub"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  while (endsIn(log) < count) {
    await delay(LOOK_MS);
    if (performance.now() - start > PATIENCE_MS) throw new Error(`not all jobs of ${log} have ended`);
  }
  const seconds = (performance.now() - start) / 1000;
  await quietPool();
  return seconds;
}

function endsIn(log: string): number {
  return existsSync(log) ? readFileSync(log, "latin1").split("\n005 (").length - 1 : 0;
}

/** No job is left, and no machine is kept for more of them. */
export async function quietPool(): Promise<void> {
  const prints = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { encoding: "utf8" }).trim() !== "";
  while (
    prints("condor_q", "-allusers", "-af", "ClusterId") ||
    prints("condor_status", "-constraint", 'SlotType == "Dynamic"', "-af", "Name")
  ) {
    await delay(500);
  }
}
