/** Whole runs on a pool, on bad days. */
import { join } from "node:path";
import type { Placement } from "@wf/site";
import { describe, test } from "vitest";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { expectGrowth } from "../clusters/greedy-run.ts";
import { expectRightEndOfKilledRun } from "../clusters/killed-run.ts";
import { openFolder } from "../clusters/open-folder.ts";
import { found } from "./own-pool.ts";

const pool = found as CondorPool;

describe.skipIf(found === null)("wf on a pool", { concurrent: true }, () => {
  const site = (placement: Placement) => ({
    backend: "htcondor",
    host: "condor",
    sshConfig: pool.sshConfig,
    storage: join(openFolder(placement === "shared" ? pool.folder : pool.hidden, "wf-"), "wf"),
    placement,
    python: "/usr/bin/python3",
    htcondor: { batchWindow: 0.05, poll: { every: 1, atMost: 5 } },
  });

  test.each([
    ["shared", 4],
    ["transfer", 17],
  ] as const)(
    "killed at any moment, under %s, with dice %i: it is resumed each time, to the right end",
    async (placement, seed) => {
      await expectRightEndOfKilledRun(seed, pool.folder, site(placement));
    },
  );

  test.each(["shared", "transfer"] as const)(
    "a task that needs more memory, under %s: its retry gets it",
    async (placement) => {
      await expectGrowth(site(placement), {});
    },
  );
});
