import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SlurmCluster } from "../../clusters/slurm-cluster.ts";
import { sharedFolder } from "./bench-cluster.ts";

const LOOK_MS = 50;
const MOST_ELEMENTS = 1000;

/**
 * Seconds from sbatch until every element of an array has slept. Each leaves an empty file: `sbatch --wait` looks only
 * every ten seconds or so.
 */
export async function handWrittenArray(cluster: SlurmCluster, count: number, nap: number): Promise<number> {
  if (count > MOST_ELEMENTS) throw new Error(`the cluster takes arrays of ${MOST_ELEMENTS} at most`);
  const folder = sharedFolder(cluster);
  const done = join(folder, "done");
  mkdirSync(done);
  const start = performance.now();
  const script = `sleep ${nap}; : > ${done}/$SLURM_ARRAY_TASK_ID`;
  const id = execFileSync("sbatch", ["--parsable", `--array=0-${count - 1}`, "-o", "/dev/null", "--wrap", script], {
    cwd: folder,
    encoding: "utf8",
  }).trim();
  while (readdirSync(done).length < count) {
    await delay(LOOK_MS);
    if (performance.now() - start > 600_000) throw new Error(`not all elements of job ${id} have ended`);
  }
  const seconds = (performance.now() - start) / 1000;
  await quietQueue();
  return seconds;
}

/** What has ended may still be tidied up by SLURM. */
export async function quietQueue(): Promise<void> {
  while (execFileSync("squeue", ["-h"], { encoding: "utf8" }).trim() !== "") await delay(500);
}
