import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { type SlurmCluster, startSlurm, whyNoSlurm, wipeAbandonedSlurm } from "../../clusters/slurm-cluster.ts";
import { REPOSITORY } from "../../repository.ts";

let started: Promise<SlurmCluster> | undefined;

/** One real cluster for all benchmarks, with 32 pretended cpus. It goes when they have ended. */
export function benchCluster(): Promise<SlurmCluster> {
  started ??= start();
  return started;
}

async function start(): Promise<SlurmCluster> {
  const why = whyNoSlurm();
  if (why !== undefined) throw new Error(`SKIPPED, as there can be no cluster here: ${why}`);
  const recipe = join(REPOSITORY, "test/clusters/slurm-up");
  await wipeAbandonedSlurm(recipe);
  const cluster = await startSlurm({ recipe });
  process.on("exit", () => spawnSync(cluster.recipe, ["wipe", cluster.folder], { stdio: "ignore" }));
  process.env.SLURM_CONF = cluster.slurmConf;
  return cluster;
}

/** A folder that all nodes see, and that whoever runs jobs there may write to. */
export function sharedFolder({ folder }: SlurmCluster): string {
  const made = mkdtempSync(join(folder, "bench-"));
  chmodSync(made, 0o777);
  return made;
}
