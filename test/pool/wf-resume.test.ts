/** A run on a pool that was killed goes on as it was planned for that pool. */
import { join } from "node:path";
import { describe, test } from "vitest";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { openFolder } from "../clusters/open-folder.ts";
import { expectResumedAsPlanned } from "../clusters/resumed-run.ts";
import { found } from "./own-pool.ts";

const pool = found as CondorPool;

describe.skipIf(found === null)("a run on a pool that is killed and resumed", () => {
  test.each([
    ["shared", "content"],
    ["transfer", "own"],
  ] as const)("keeps its slices, processes, tasks that share jobs, and %s", async (placement, reads) => {
    const site = {
      backend: "htcondor",
      host: "condor",
      sshConfig: pool.sshConfig,
      storage: join(openFolder(placement === "shared" ? pool.folder : pool.hidden, "resumed-"), "wf"),
      placement,
      python: "/usr/bin/python3",
      htcondor: { batchWindow: 0.05, poll: { every: 1, atMost: 5 } },
    };
    await expectResumedAsPlanned(pool.folder, site, "8s", 60, {
      nodes: 1,
      processes: 2,
      timeLimitSeconds: 8,
      reads,
    });
  });
});
