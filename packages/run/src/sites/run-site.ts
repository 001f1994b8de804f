import type { Capacity } from "@wf/backend";
import { detectCapacity } from "@wf/backend-local";
import { HtcondorSettings, type NamedSite, SlurmSettings } from "@wf/site";
import { RunSite } from "../planning/run-settings.ts";

/** What one task may have: of this machine all of it, of a cluster what its site says; null where it does not. */
export async function capacityOf(site: NamedSite): Promise<Capacity | null> {
  if (site.backend !== "local") return clusterCapacity(site);
  const found = await detectCapacity(AbortSignal.timeout(10_000));
  return {
    cpus: site.resources.cpus ?? found.cpus,
    memoryBytes: site.resources.memory ?? found.memoryBytes,
    gpus: site.resources.gpus ?? found.gpus,
  };
}

function clusterCapacity(site: NamedSite): Capacity | null {
  const { slurm, htcondor } = schedulerOf(site);
  if (slurm !== undefined) return largestNode(slurm);
  return htcondor === undefined ? null : largestMachine(htcondor);
}

/** The site of a run, as the store keeps it. */
export function runSite(site: NamedSite, capacity: Capacity | null): RunSite {
  return RunSite.parse({ ...site, ...schedulerOf(site), capacity });
}

/**
 * The site with which a run goes on. What a cluster asks of its users may have been mended in sites.yaml since; where
 * its content and records lie may not have moved.
 */
export function resumedSite(kept: RunSite, known: NamedSite | undefined): RunSite {
  if (kept.backend === "local" || known === undefined || known.backend !== kept.backend) return kept;
  const { host, sshConfig, prelude, python, env } = known;
  const capacity = clusterCapacity(known);
  return RunSite.parse({ ...kept, host, sshConfig, prelude, python, env, ...schedulerOf(known), capacity });
}

/** The settings of the site's scheduler, where it has one. */
export function schedulerOf({ backend, slurm, htcondor }: NamedSite): Pick<NamedSite, "slurm" | "htcondor"> {
  switch (backend) {
    case "local":
      return {};
    case "slurm":
      return { slurm: slurm ?? SlurmSettings.parse({}) };
    case "htcondor":
      return { htcondor: htcondor ?? HtcondorSettings.parse({}) };
    default:
      backend satisfies never;
      throw new TypeError(`no such backend: ${backend}`);
  }
}

function largestMachine({ largest }: HtcondorSettings): Capacity | null {
  const { cpus, memory, gpus } = largest;
  return cpus === undefined || memory === undefined ? null : { cpus, memoryBytes: memory, gpus };
}

function largestNode({ partitions }: SlurmSettings): Capacity | null {
  const cpus = partitions.map(({ cpusPerNode }) => cpusPerNode);
  const memory = partitions.map(({ memoryPerNode }) => memoryPerNode);
  if (partitions.length === 0 || cpus.includes(undefined) || memory.includes(undefined)) return null;
  return {
    cpus: Math.max(...(cpus as number[])),
    memoryBytes: Math.max(...(memory as number[])),
    gpus: Math.max(...partitions.map(({ gpusPerNode }) => gpusPerNode)),
  };
}
