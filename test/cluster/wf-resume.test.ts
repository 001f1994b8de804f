/** A run on a cluster that was killed goes on as it was planned for that cluster. */
import { join } from "node:path";
import { describe, test } from "vitest";
import { openFolder } from "../clusters/open-folder.ts";
import { expectResumedAsPlanned } from "../clusters/resumed-run.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

describe.skipIf(found === null)("a run on a cluster that is killed and resumed", () => {
  test("keeps slices that are shorter than the task, both nodes, tasks that share jobs, and copies", async () => {
    const partition = { name: "main", maxTime: 20, maxNodes: 2, cpusPerNode: 2, memoryPerNode: "1GiB" };
    const site = {
      backend: "slurm",
      host: "slurm",
      sshConfig: cluster.sshConfig,
      storage: join(openFolder(cluster.folder, "resumed-"), "wf"),
      placement: "copy",
      python: "/usr/bin/python3",
      slurm: { partitions: [partition], batchWindow: 0.05, poll: { every: 1, atMost: 5 } },
    };
    await expectResumedAsPlanned(cluster.folder, site, "1h", 150, {
      nodes: 2,
      processes: 2,
      timeLimitSeconds: 15,
      reads: "own",
    });
  });
});
