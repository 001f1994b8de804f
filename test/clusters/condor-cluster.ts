import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { actOnRecipe } from "./act-on-recipe.ts";
import { freePorts } from "./free-ports.ts";
import { makeOwnedFolder, wipeAbandoned, wipeOwnedFolder } from "./owned-folder.ts";

/** A real HTCondor on this machine, as `condor-up` has brought it up. */
export interface CondorPool {
  readonly folder: string;
  /** The script that has brought it up. */
  readonly recipe: string;
  /** For PATH: HTCondor's commands, which act as `user` even where root calls them. */
  readonly commands: string;
  /** Whom jobs belong to, and who logs in. */
  readonly user: string;
  readonly sshPort: number;
  readonly privateKey: string;
  readonly knownHosts: string;
  /** For `ssh -F`: it knows the submit host as `condor`. */
  readonly sshConfig: string;
  /** A folder that jobs cannot look into, though everybody else can. */
  readonly hidden: string;
}

const PREFIX = "wf-condor-";
const RECIPE = fileURLToPath(new URL("condor-up", import.meta.url));
const USER = "condortest";
const SSH_OFFSET = 1;
/** Below those that the kernel gives to connections, and beside those of SLURM. */
const PORTS = { first: 14_800, length: 2, places: 900, needed: [0, SSH_OFFSET] };

/** Why there can be no pool on this machine; undefined where there can. */
export function whyNoCondor(): string | undefined {
  if (process.platform !== "linux" || !existsSync("/etc/debian_version")) return "condor-up needs Debian";
  return process.getuid?.() === 0 ? undefined : "condor-up has to be root, to hide folders from jobs";
}

export interface CondorWish {
  readonly recipe?: string | undefined;
  /** The process with which it goes, even one that is killed. Default: this one. */
  readonly owner?: number | undefined;
  /** Where to begin the search for ports: those who come up at the same moment begin apart. Default: anywhere. */
  readonly place?: number | undefined;
  /** Of 8 pretended cpus each. Default: one. */
  readonly slots?: number;
}

/** In a folder and on ports of its own, so that several can live side by side. */
export async function startCondor({ recipe = RECIPE, owner, place, slots = 1 }: CondorWish = {}): Promise<CondorPool> {
  const folder = makeOwnedFolder(PREFIX, owner);
  const port = await freePorts(PORTS, place);
  const sshPort = port + SSH_OFFSET;
  await actOnRecipe(recipe, "up", folder, {
    CONDOR_UP_PORT: `${port}`,
    CONDOR_UP_SSH_PORT: `${sshPort}`,
    CONDOR_UP_USER: USER,
    CONDOR_UP_SLOTS: `${slots}`,
  });
  return {
    folder,
    recipe,
    commands: join(folder, "bin"),
    user: USER,
    sshPort,
    privateKey: join(folder, "ssh/key"),
    knownHosts: join(folder, "ssh/known_hosts"),
    sshConfig: join(folder, "ssh/config"),
    hidden: join(folder, "hidden"),
  };
}

export async function stopCondor({ recipe, folder }: CondorPool): Promise<void> {
  await wipeOwnedFolder(folder, recipe);
}

/** Pools of test runs that were killed before they could take them down. */
export async function wipeAbandonedCondor(recipe = RECIPE): Promise<void> {
  await wipeAbandoned(PREFIX, recipe);
}
