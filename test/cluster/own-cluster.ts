import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { type SlurmCluster, startSlurm } from "../clusters/slurm-cluster.ts";
import type { SlurmForTests } from "../clusters/slurm-for-tests.ts";

const PLACES_APART = 5;

/**
 * The cluster of this worker: while a file of tests runs, nobody else uses it, so that it may stop daemons and kill nodes.
 * What it stops it starts again. Null where there can be no cluster.
 */
export const found: SlurmCluster | null = await ownCluster(inject("slurm"));

async function ownCluster(wish: SlurmForTests | null): Promise<SlurmCluster | null> {
  if (wish === null) return null;
  const worker = Number(process.env.VITEST_POOL_ID);
  const note = join(wish.notes, `${worker}.json`);
  if (existsSync(note)) return JSON.parse(readFileSync(note, "utf8")) as SlurmCluster;
  const cluster = await startSlurm({ owner: wish.owner, place: wish.place + worker * PLACES_APART });
  writeFileSync(note, JSON.stringify(cluster));
  return cluster;
}
