import { execFileSync } from "node:child_process";
import { until } from "@wf/testing";
import { describe, it } from "vitest";
import { openFolder } from "../clusters/open-folder.ts";
import { type CancelledJob, recheckOn } from "../clusters/rechecking.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;
const env = { SLURM_CONF: cluster?.slurmConf ?? "", TZ: "UTC" };
const slurm = (command: string, ...args: string[]) =>
  execFileSync(command, args, { env: { ...process.env, ...env }, encoding: "utf8" }).trim();

async function cancelledJob(): Promise<CancelledJob> {
  const id = slurm("sbatch", "--parsable", "-p", "main", "-o", "/dev/null", "--wrap", "sleep 600");
  await until("the job to run", () => slurm("squeue", "-h", "-j", id, "-o", "%T") === "RUNNING");
  slurm("scancel", id);
  const words = await until("its end", () => {
    const [state = "", start = "", end = ""] = slurm("sacct", "-XPn", "-j", id, "-o", "state,start,end").split("|");
    return state.startsWith("CANCELLED") && /^\d/.test(end) && { start, end };
  });
  return { id, startedAt: Date.parse(`${words.start}Z`) / 1000, endedAt: Date.parse(`${words.end}Z`) / 1000 };
}

describe.skipIf(found === null)("results of earlier versions on a cluster", () => {
  it("are dropped where SLURM had ended their jobs, and made again", async () => {
    const slurmSettings = { partitions: [{ name: "main" }], batchWindow: 0.05, poll: { every: 1, atMost: 5 } };
    const storage = openFolder(cluster.folder, "recheck-");
    process.umask(0);
    await recheckOn({ backend: "slurm", storage, python: "/usr/bin/python3", slurm: slurmSettings }, cancelledJob, env);
  });
});
