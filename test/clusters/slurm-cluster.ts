import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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
const PORTS_OF_A_CLUSTER = 200;
/** Below those that the kernel gives to connections. */
const FIRST_PORT = 16_800;
const PLACES = 66;
const SSH_OFFSET = 22;

/** Why there can be no cluster on this machine; undefined where there can. */
export function whyNoSlurm(): string | undefined {
  if (process.platform !== "linux" || !existsSync("/etc/debian_version")) return "slurm-up needs Debian";
  return process.getuid?.() === 0 ? undefined : "slurm-up has to be root";
}

/** In a folder and on ports of its own, so that several can live side by side. It goes with the process that started it. */
export async function startSlurm(recipe = RECIPE): Promise<SlurmCluster> {
  await wipeAbandoned(recipe);
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "owner"), `${process.pid}`);
  const port = await freePorts();
  const sshPort = port + SSH_OFFSET;
  await act(recipe, "up", folder, { PORT: `${port}`, SSH_PORT: `${sshPort}`, SSH_USER: USER });
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
  await act(recipe, "wipe", folder);
}

/** Starts again what has died, or was killed, of a cluster. */
export async function reviveSlurm({ recipe, folder, sshPort, user }: SlurmCluster): Promise<void> {
  await act(recipe, "up", folder, { PORT: `${sshPort - SSH_OFFSET}`, SSH_PORT: `${sshPort}`, SSH_USER: user });
}

/** Clusters of test runs that were killed before they could take them down. */
async function wipeAbandoned(recipe: string): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const owner = join(tmpdir(), name, "owner");
    if (existsSync(owner) && !existsSync(`/proc/${readFileSync(owner, "utf8")}`)) {
      await act(recipe, "wipe", join(tmpdir(), name));
    }
  }
}

async function act(
  recipe: string,
  command: string,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(recipe, [command, folder], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`slurm-up ${command} failed: ${said}`);
}

/** The first port of a stretch of which the first and those of the controller and of sshd are free. */
/** Begins anywhere, so that clusters that come up at the same moment seldom want the same ones. */
async function freePorts(): Promise<number> {
  const first = Math.floor(Math.random() * PLACES);
  for (let place = 0; place < PLACES; place++) {
    const port = FIRST_PORT + ((first + place) % PLACES) * PORTS_OF_A_CLUSTER;
    if (await areFree([port + 6, port + 17, port + 19, port + SSH_OFFSET, port + 101])) return port;
  }
  throw new Error("no ports are free for a cluster");
}

async function areFree(ports: readonly number[]): Promise<boolean> {
  for (const port of ports) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (!isFree) return false;
  }
  return true;
}
