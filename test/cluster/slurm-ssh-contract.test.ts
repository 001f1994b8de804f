import { backendContract } from "@wf/backend/contract";
import { sshTransport } from "@wf/transport";
import { afterAll, describe, expect, inject, test } from "vitest";
import { makeSlurmHarness } from "./slurm-harness.ts";

const cluster = inject("slurm");

describe.skipIf(cluster === null)("over ssh", () => {
  if (cluster === null) return;
  const transport = sshTransport({
    destination: "slurm",
    configFile: cluster.sshConfig,
    budget: { commands: 10_000, everyMs: 60_000 },
  });
  afterAll(() => transport.close());
  backendContract("slurm over ssh", makeSlurmHarness(cluster, transport), { timeoutMs: 60_000 });

  test("all of it went over one connection, within the usual limit of ten channels", () => {
    expect(transport.counts.connections).toBe(1);
    expect(transport.counts.channelsPeak).toBeLessThanOrEqual(10);
  });
});
