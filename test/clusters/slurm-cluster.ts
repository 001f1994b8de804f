import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { actOnRecipe } from "./act-on-recipe.ts";
import { freePorts } from "./free-ports.ts";
import { makeOwnedFolder, wipeAbandoned, wipeOwnedFolder } from "./owned-folder.ts";

/** A real SLURM on this machine, as `slurm-up` has brought it up. */
export interface SlurmCluster {
  readonly folder: string;
  /** The script that has brought it up. */
  readonly recipe: string;
  /** Names slurm.conf to SLURM's commands. */
  readonly slurmConf: string;
  readonly user: string;
  readonly sshPort: number;
  readonly privateKey: string;
  readonly knownHosts: string;
  /** For `ssh -F`: it knows the login node as `slurm`. */
  readonly sshConfig: string;
}

const PREFIX = "wf-slurm-";
const RECIPE = fileURLToPath(new URL("slurm-up", import.meta.url));
const USER = "hpc";
const SSH_OFFSET = 22;
/** Below those that the kernel gives to connections. */
const PORTS = { first: 16_800, length: 200, places: 66, needed: [6, 17, 19, SSH_OFFSET, 101] };

/** Why there can be no cluster on this machine; undefined where there can. */
export function whyNoSlurm(): string | undefined {
  if (process.platform !== "linux" || !existsSync("/etc/debian_version")) return "slurm-up needs Debian";
  return process.getuid?.() === 0 ? undefined : "slurm-up has to be root";
}

export interface SlurmWish {
  readonly recipe?: string | undefined;
  /** The process with which it goes, even one that is killed. Default: this one. */
  readonly owner?: number | undefined;
  /** Where to begin the search for ports: those who come up at the same moment begin apart. Default: anywhere. */
  readonly place?: number | undefined;
}

/** In a folder and on ports of its own, so that several can live side by side. */
export async function startSlurm({ recipe = RECIPE, owner, place }: SlurmWish = {}): Promise<SlurmCluster> {
  const folder = makeOwnedFolder(PREFIX, owner);
  const port = await freePorts(PORTS, place);
  const sshPort = port + SSH_OFFSET;
  await actOnRecipe(recipe, "up", folder, { PORT: `${port}`, SSH_PORT: `${sshPort}`, SSH_USER: USER, ALONE: "1" });
  return {
    folder,
    recipe,
    slurmConf: join(folder, "etc/slurm.conf"),
    user: USER,
    sshPort,
    privateKey: join(folder, "ssh/id"),
    knownHosts: join(folder, "ssh/known_hosts"),
    sshConfig: join(folder, "ssh/config"),
  };
}

export async function stopSlurm({ recipe, folder }: SlurmCluster): Promise<void> {
  await wipeOwnedFolder(folder, recipe);
}

/** Clusters of test runs that were killed before they could take them down. */
export async function wipeAbandonedSlurm(recipe = RECIPE): Promise<void> {
  await wipeAbandoned(PREFIX, recipe);
}

/** Starts again what has died, or was killed, of a cluster. */
export async function reviveSlurm({ recipe, folder, sshPort, user }: SlurmCluster): Promise<void> {
  const port = sshPort - SSH_OFFSET;
  await actOnRecipe(recipe, "up", folder, { PORT: `${port}`, SSH_PORT: `${sshPort}`, SSH_USER: user, ALONE: "1" });
}
