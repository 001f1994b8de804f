/** wf is killed at any moment of a run on a cluster. */
import { join } from "node:path";
import { describe, test } from "vitest";
import { expectRightEndOfKilledRun } from "../clusters/killed-run.ts";
import { openFolder } from "../clusters/open-folder.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

describe.skipIf(found === null)("wf killed at any moment of a run on a cluster", () => {
  test.concurrent.each([4, 17])(
    "with dice %i: it is resumed each time, to the right end",

    async (seed) => {
      await expectRightEndOfKilledRun(seed, cluster.folder, {
        backend: "slurm",
        host: "slurm",
        sshConfig: cluster.sshConfig,
        storage: join(openFolder(cluster.folder, "killed-"), "wf"),
        python: "/usr/bin/python3",
        slurm: { partitions: [{ name: "main" }], batchWindow: 0.05, poll: { every: 1, atMost: 5 } },
      });
    },
  );
});
