import { backendContract } from "@wf/backend/contract";
import { localTransport } from "@wf/transport";
import { afterAll, describe } from "vitest";
import { found as cluster } from "./own-cluster.ts";
import { byAPilot, makeSlurmHarness } from "./slurm-harness.ts";

describe.skipIf(cluster === null)("with pilots", () => {
  if (cluster === null) return;
  process.env.SLURM_CONF = cluster.slurmConf;
  const transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  afterAll(() => transport.close());
  backendContract("slurm", makeSlurmHarness(cluster, transport, byAPilot), { isConcurrent: true });
});
