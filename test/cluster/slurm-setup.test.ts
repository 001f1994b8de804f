/** Lines of a site's setup on a real cluster, before a job of SLURM and before a pilot. */
import { SlurmSettings } from "@wf/site";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expectSetUp, SETUP } from "../clusters/setup-of-a-site.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { found } from "./own-cluster.ts";
import { byAPilot, newHarness, oneNode } from "./slurm-harness.ts";

describe.skipIf(found === null)("setup on a real cluster", () => {
  const cluster = found as SlurmCluster;
  let transport: Transport;
  beforeAll(() => {
    process.env.SLURM_CONF = cluster.slurmConf;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  test.each([
    ["a job of its own", oneNode],
    ["a pilot", byAPilot],
  ])("what it changes reaches tasks in %s", async (_, settingsOn) => {
    const settings = SlurmSettings.parse({ ...settingsOn("c1"), setup: SETUP });
    await expectSetUp(newHarness(cluster, transport, settings));
  });

  test("so it does where a login shell runs it", async () => {
    const settings = SlurmSettings.parse({ ...oneNode("c1"), setup: SETUP, shell: "/bin/bash -l" });
    await expectSetUp(newHarness(cluster, transport, settings));
  });
});
