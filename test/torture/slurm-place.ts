import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  reviveSlurm,
  type SlurmCluster,
  startSlurm,
  stopSlurm,
  whyNoSlurm,
  wipeAbandonedSlurm,
} from "../clusters/slurm-cluster.ts";
import { bringBack, daemonOf, endDaemon, slurm } from "../clusters/slurm-daemons.ts";
import { REPOSITORY } from "../repository.ts";
import { QUICK, roundsOn, wipeAtExit } from "./on-cluster.ts";
import type { Place } from "./place.ts";
import { kill } from "./processes.ts";

const NODES = ["c1", "c2", "g1", "g2"];

/** A real SLURM on this machine, reached over ssh as from a laptop. */
export async function slurmPlace({ hasClock }: { readonly hasClock: boolean }): Promise<Place> {
  const why = whyNoSlurm();
  if (why !== undefined) throw new Error(`there can be no cluster here: ${why}`);
  const recipe = join(REPOSITORY, "test/clusters/slurm-up");
  await wipeAbandonedSlurm(recipe);
  const cluster = await startSlurm({ recipe });
  wipeAtExit(cluster);
  const rounds = roundsOn(cluster, hasClock);
  process.env.SLURM_CONF = cluster.slurmConf;
  return {
    name: "slurm",
    ...rounds,
    weights: { ...rounds.weights, "fill-disk": 1 },
    site: (storage) => ({
      backend: "slurm",
      host: "slurm",
      sshConfig: cluster.sshConfig,
      storage,
      python: "/usr/bin/python3",
      slurm: { partitions: [{ name: "main" }], ...QUICK },
    }),
    daemons: ["slurmctld", "slurmdbd", ...NODES.map((node) => `slurmd-${node}`)],
    async killDaemon(name) {
      await endDaemon(cluster, name, "SIGKILL");
      await reviveSlurm(cluster);
      for (const node of NODES) bringBack(node);
    },
    cut: () => connectionsOf(cluster).filter(kill).length,
    queued: () => slurm("squeue", "-h", "-o", "%i %T").split("\n").filter(isThere),
    close: () => stopSlurm(cluster),
  };
}

/** SLURM shows a job for a while after its end. */
function isThere(line: string): boolean {
  return /PENDING|RUNNING|SUSPENDED|COMPLETING|CONFIGURING/.test(line);
}

/** What its sshd has started, one process a connection. */
function connectionsOf(cluster: SlurmCluster): readonly number[] {
  const server = daemonOf(cluster, "sshd");
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === server).map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}
