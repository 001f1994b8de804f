import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BackendHarness, ContractSession } from "@wf/backend/contract";
import type { ClusterBackend } from "@wf/backend-cluster";
import { slurmBackend } from "@wf/backend-slurm";
import { SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { makeSlurmHarness } from "./slurm-harness.ts";

const QUICK = { batchWindow: 0.05, poll: { every: 1, atMost: 5 }, budget: { commands: 1000 } } as const;

export interface Stage {
  readonly harness: BackendHarness;
  readonly session: ContractSession;
  readonly backend: ClusterBackend;
}

/** A backend with settings of its own on a storage of its own, for one case. */
export async function onStage(
  cluster: SlurmCluster,
  transport: Transport,
  settings: object,
  act: (stage: Stage) => Promise<void>,
): Promise<void> {
  const harness = await makeSlurmHarness(cluster, transport)();
  const { run, storage } = harness;
  const parsed = SlurmSettings.parse({ ...QUICK, ...settings });
  const backend = slurmBackend({ run, storage, settings: parsed, transport, python: "/usr/bin/python3" });
  const session = new ContractSession(backend);
  try {
    await session.open();
    await act({ harness, session, backend });
  } finally {
    await session.clear();
    await harness.dispose();
  }
}

export function slurm(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: "utf8" });
}

export function submissionsOf(harness: BackendHarness): string {
  return join(harness.storage, "runs", harness.run, "submissions");
}

/** What SLURM calls the jobs of a run. */
function jobIds(harness: BackendHarness): readonly string[] {
  const root = submissionsOf(harness);
  const ids = readdirSync(root).map((token) => join(root, token, "id"));
  return ids.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
}

/** Of a run whose submissions are all of one job. */
export function jobId(harness: BackendHarness): string {
  return jobIds(harness)[0] as string;
}

/** squeue fails where it knows the only job asked for no more; of several it leaves out those. */
const NO_JOB = "99999999";

export function stillQueued(harness: BackendHarness): readonly string[] {
  return slurm("squeue", "-h", "-o", "%i %T", "-j", [...jobIds(harness), NO_JOB].join(","))
    .split("\n")
    .filter((line) => /PENDING|RUNNING/.test(line));
}

/** It may have come back by itself. */
export function bringBack(node: string): void {
  const isDown = () => /down|drain/i.test(slurm("sinfo", "-h", "-n", node, "-o", "%T"));
  if (isDown()) slurm("scontrol", "update", `nodename=${node}`, "state=resume");
}

/** The daemon's process: `slurmctld`, `slurmdbd`, `slurmd-c2`. */
export function daemonOf(cluster: SlurmCluster, name: string): number {
  return Number(readFileSync(join(cluster.folder, "run", `${name}.pid`), "utf8"));
}
