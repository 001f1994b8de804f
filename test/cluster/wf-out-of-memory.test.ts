/** A task that needs more memory than it asked for: the next attempt gets it. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { expectGrowth } from "../clusters/greedy-run.ts";
import { found as cluster } from "./own-cluster.ts";

describe.skipIf(cluster === null)("memory on a cluster", () => {
  if (cluster === null) return;
  const root = mkdtempSync(join(cluster.folder, "wf-"));
  chmodSync(root, 0o777);
  const env = { SLURM_CONF: cluster.slurmConf };
  afterAll(() => {
    execFileSync("scancel", ["--partition=main"], { env: { ...process.env, ...env } });
    rmSync(root, { recursive: true, force: true });
  });

  it("grows after out-of-memory, from what was measured", async () => {
    const slurm = { partitions: [{ name: "main" }], batchWindow: 0.05, poll: { every: 1, atMost: 5 } };
    const site = { backend: "slurm", storage: root, python: "/usr/bin/python3", slurm };
    await expectGrowth(site, env, { standsOnAccounting: true });
  });

  it("grows as far as the partition goes, and no further", async () => {
    const partitions = [{ name: "main", memoryPerNode: "380MiB" }];
    const slurm = { partitions, batchWindow: 0.05, poll: { every: 1, atMost: 5 } };
    const storage = join(root, "small");
    await expectGrowth({ backend: "slurm", storage, python: "/usr/bin/python3", slurm }, env, {
      mostBytes: 380 * 2 ** 20,
    });
  });
});
