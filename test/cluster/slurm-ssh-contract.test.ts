import { backendContract } from "@wf/backend/contract";
import { sshTransport } from "@wf/transport";
import { afterAll, describe, expect, test } from "vitest";
import { found as cluster } from "./own-cluster.ts";
import { makeSlurmHarness } from "./slurm-harness.ts";

describe.skipIf(cluster === null)("over ssh", () => {
  if (cluster === null) return;
  const transport = sshTransport({
    destination: "slurm",
    configFile: cluster.sshConfig,
    budget: { commands: 10_000, everyMs: 60_000 },
  });
  afterAll(() => transport.close());
  backendContract("slurm over ssh", makeSlurmHarness(cluster, transport), { isConcurrent: true });

  test("all of it went over one connection, within the usual limit of ten channels", () => {
    expect(transport.counts.connections).toBe(1);
    expect(transport.counts.channelsPeak).toBeLessThanOrEqual(10);
  });
});
