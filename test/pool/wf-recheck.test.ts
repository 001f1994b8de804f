import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { describe, it } from "vitest";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { type CancelledJob, recheckOn } from "../clusters/rechecking.ts";
import { onSubmitHost } from "./condor-commands.ts";
import { found } from "./own-pool.ts";
import { newStorage } from "./words-project.ts";

const pool = found as CondorPool;

async function cancelledJob(): Promise<CancelledJob> {
  const description = join(newStorage(pool.folder), "sleeps.sub");
  writeFileSync(
    description,
    "executable = /bin/sleep\narguments = 600\nrequest_memory = 64MB\nrequest_disk = 1MB\nqueue\n",
  );
  const [id = ""] = onSubmitHost(pool, "condor_submit", "-terse", description).split(" ");
  const status = () => onSubmitHost(pool, "condor_q", id, "-af", "JobStatus").trim();
  await until("the job to run", () => status() === "2", { lastSeen: status });
  onSubmitHost(pool, "condor_rm", id);
  const times = await until("its end", () => {
    const words = onSubmitHost(pool, "condor_history", id, "-af", "JobStatus", "JobStartDate", "EnteredCurrentStatus");
    const [ended, startedAt, endedAt] = words.trim().split(" ").map(Number);
    return ended === 3 && startedAt !== undefined && endedAt !== undefined && { startedAt, endedAt };
  });
  return { id, ...times };
}

describe.skipIf(found === null)("results of earlier versions on a pool", () => {
  it("are dropped where HTCondor had ended their jobs, and made again", async () => {
    const htcondor = { batchWindow: 0.05, poll: { every: 2, atMost: 5 } };
    const storage = newStorage(pool.folder);
    const over = { host: "condor", sshConfig: pool.sshConfig };
    await recheckOn({ backend: "htcondor", ...over, storage, python: "/usr/bin/python3", htcondor }, cancelledJob);
  });
});
