import { backendContract } from "@wf/backend/contract";
import { localTransport } from "@wf/transport";
import { afterAll, describe, inject } from "vitest";
import { BY_A_PILOT, makeSlurmHarness } from "./slurm-harness.ts";

const cluster = inject("slurm");

describe.skipIf(cluster === null)("with pilots", () => {
  if (cluster === null) return;
  process.env.SLURM_CONF = cluster.slurmConf;
  const transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  afterAll(() => transport.close());
  backendContract("slurm", makeSlurmHarness(cluster, transport, BY_A_PILOT), { timeoutMs: 60_000 });
});
