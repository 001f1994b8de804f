import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Backend } from "@wf/backend";
import type { BackendHarness } from "@wf/backend/contract";
import type { ClusterBackend } from "@wf/backend-cluster";
import { slurmBackend } from "@wf/backend-slurm";
import { SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import { submittedIds } from "../clusters/bad-day-stage.ts";
import { Places } from "../clusters/places.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";

const CPUS = 8;
const MEMORY_BYTES = 8000 * 2 ** 20;
const NODES = ["c1", "c2", "g1", "g2"];

/** One node of the cluster is the whole site, so that what does not fit has to wait. */
export function oneNode(node: string): SlurmSettings {
  return SlurmSettings.parse({
    partitions: [{ name: node, cpusPerNode: CPUS, memoryPerNode: MEMORY_BYTES, maxNodes: 1 }],
    batchWindow: 0.05,
    poll: { every: 1, atMost: 5 },
    budget: { commands: 1000 },
  });
}

/** The same, worked off by one pilot that has it all. Tests do not wait for it to leave by itself. */
export function byAPilot(node: string): SlurmSettings {
  const pilots = { jobs: 1, cpus: CPUS, memory: MEMORY_BYTES, time: 600, idle: 1 };
  return SlurmSettings.parse({ ...oneNode(node), pilots });
}

/** For cases side by side: each has a node to itself, and waits until one is free. */
export function makeSlurmHarness(
  cluster: SlurmCluster,
  transport: Transport,
  settingsOn: (node: string) => SlurmSettings = oneNode,
): () => Promise<BackendHarness> {
  const nodes = new Places(NODES);
  return async () => {
    const node = await nodes.take();
    const harness = newHarness(cluster, transport, settingsOn(node));
    const dispose = async () => {
      await harness.dispose();
      nodes.giveBack(node);
    };
    return { ...harness, dispose };
  };
}

/** A storage of its own on the cluster. The transport is used by all, and closed by who made it. */
export function newHarness(cluster: SlurmCluster, transport: Transport, settings: SlurmSettings): BackendHarness {
  // The tasks may be another user's than the tests.
  process.umask(0);
  const root = mkdtempSync(join(cluster.folder, "case-"));
  chmodSync(root, 0o777);
  const storage = join(root, "storage");
  const scratch = join(root, "scratch");
  mkdirSync(storage);
  mkdirSync(scratch);
  // The launcher is brought to a cluster once, as to any site, and not for each case.
  const tools = join(cluster.folder, "tools");
  mkdirSync(tools, { recursive: true });
  symlinkSync(tools, join(storage, "tools"));
  const run = "r1";
  return {
    run,
    storage,
    scratch,
    capacity: { cpus: CPUS, memoryBytes: MEMORY_BYTES, gpus: 0 },
    create: () => slurmBackend({ run, storage, settings, transport, python: "/usr/bin/python3" }),
    crash: async (backend: Backend) => (backend as ClusterBackend).detach(),
    dispose: async () => {
      await cancelJobs(cluster, { run, storage });
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function cancelJobs({ slurmConf }: SlurmCluster, there: Pick<BackendHarness, "run" | "storage">): Promise<void> {
  const ids = submittedIds(there);
  const env = { ...process.env, SLURM_CONF: slurmConf };
  if (ids.length > 0) await promisify(execFile)("scancel", ["--quiet", ...ids], { env });
}
