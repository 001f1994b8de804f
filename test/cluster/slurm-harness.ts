import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Backend } from "@wf/backend";
import type { BackendHarness } from "@wf/backend/contract";
import type { ClusterBackend } from "@wf/backend-cluster";
import { slurmBackend } from "@wf/backend-slurm";
import { SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";

const CPUS = 8;
const MEMORY_BYTES = 8000 * 2 ** 20;

/** One node of the cluster is the whole site, so that what does not fit has to wait. */
const ONE_NODE = SlurmSettings.parse({
  partitions: [{ name: "solo", cpusPerNode: CPUS, memoryPerNode: MEMORY_BYTES, maxNodes: 1 }],
  batchWindow: 0.05,
  poll: { every: 1, atMost: 5 },
  budget: { commands: 1000 },
});

/** The same, worked off by one pilot that has it all. Tests do not wait for it to leave by itself. */
export const BY_A_PILOT = SlurmSettings.parse({
  ...ONE_NODE,
  pilots: { jobs: 1, cpus: CPUS, memory: MEMORY_BYTES, time: 600, idle: 1 },
});

/** A storage of its own on the cluster. The transport is used by all, and closed by who made it. */
export function makeSlurmHarness(
  cluster: SlurmCluster,
  transport: Transport,
  settings: SlurmSettings = ONE_NODE,
): () => Promise<BackendHarness> {
  return async () => {
    // The tasks may be another user's than the tests.
    process.umask(0);
    const root = mkdtempSync(join(cluster.folder, "case-"));
    chmodSync(root, 0o777);
    const storage = join(root, "storage");
    const scratch = join(root, "scratch");
    mkdirSync(storage);
    mkdirSync(scratch);
    const run = "r1";
    return {
      run,
      storage,
      scratch,
      capacity: { cpus: CPUS, memoryBytes: MEMORY_BYTES, gpus: 0 },
      create: () => slurmBackend({ run, storage, settings, transport, python: "/usr/bin/python3" }),
      crash: async (backend: Backend) => (backend as ClusterBackend).detach(),
      dispose: async () => {
        execFileSync("scancel", ["--partition=solo"], { env: { ...process.env, SLURM_CONF: cluster.slurmConf } });
        rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      },
    };
  };
}
