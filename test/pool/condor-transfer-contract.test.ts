import { backendContract } from "@wf/backend/contract";
import { sshTransport } from "@wf/transport";
import { afterAll, describe, expect, test } from "vitest";
import { makeCondorHarness } from "./condor-harness.ts";
import { found as pool } from "./own-pool.ts";

const TOGETHER = "records return when the whole job does";
const UNSEEN = "nobody can tell a job on a machine that sees nothing of the storage about one of its tasks";

describe.skipIf(pool === null)("over ssh, on machines that see nothing of the storage", () => {
  if (pool === null) return;
  const transport = sshTransport({
    destination: "condor",
    configFile: pool.sshConfig,
    budget: { commands: 10_000, everyMs: 60_000 },
  });
  afterAll(() => transport.close());
  backendContract("htcondor, by its own file transfer,", makeCondorHarness(pool, transport, "transfer"), {
    isConcurrent: true,
    skip: {
      "after a killed engine: a job whose tasks follow one another goes on, and can be cancelled": TOGETHER,
      "cancelling tasks of a job whose others go on: one that runs, one that waits, none of the others": UNSEEN,
      "cancelling a task of a job that waits: the job runs without it": UNSEEN,
    },
  });

  test("all of it went over one connection, within the usual limit of ten channels", () => {
    expect(transport.counts.connections).toBe(1);
    expect(transport.counts.channelsPeak).toBeLessThanOrEqual(10);
  });
});
