import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actOnRecipe } from "../../clusters/act-on-recipe.ts";
import { type CondorPool, startCondor, whyNoCondor } from "../../clusters/condor-cluster.ts";
import { REPOSITORY } from "../../repository.ts";

let started: Promise<CondorPool> | undefined;

/** One real pool for all benchmarks, of 8 pretended cpus. It goes when they have ended. */
export function benchPool(): Promise<CondorPool> {
  started ??= start();
  return started;
}

async function start(): Promise<CondorPool> {
  const why = whyNoCondor();
  if (why !== undefined) throw new Error(`SKIPPED, as there can be no pool here: ${why}`);
  const pool = await startCondor({ recipe: join(REPOSITORY, "test/clusters/condor-up") });
  process.on("exit", () => spawnSync(pool.recipe, ["wipe", pool.folder], { stdio: "ignore" }));
  // Jobs belong to another user than who measures.
  process.umask(0);
  process.env.PATH = `${pool.commands}:${process.env.PATH}`;
  return pool;
}

/** A folder for a storage, or for jobs that are written by hand. */
export function writableFolder(parent: string): string {
  const made = mkdtempSync(join(parent, "bench-"));
  chmodSync(made, 0o777);
  return made;
}

/** Newer clients, as those of Python packages, cannot prove to HTCondor 23.9 who they are by the file system. */
export async function trustingPool({ recipe, folder }: CondorPool): Promise<void> {
  const kinds = ["DEFAULT", "READ", "WRITE"].map((kind) => `SEC_${kind}_AUTHENTICATION_METHODS = FS, CLAIMTOBE\n`);
  const settings = [...kinds, "SEC_CLIENT_AUTHENTICATION_METHODS = CLAIMTOBE, FS\n"];
  writeFileSync(join(folder, "local.conf"), settings.join(""));
  await actOnRecipe(recipe, "down", folder);
  await actOnRecipe(recipe, "up", folder);
}
