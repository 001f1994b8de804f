/** Lines of a site's setup on a real pool, on machines that see the storage and on some that do not. */
import { HtcondorSettings } from "@wf/site";
import { sshTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, test } from "vitest";
import { QUICK } from "../clusters/bad-day-stage.ts";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { expectSetUp, SETUP } from "../clusters/setup-of-a-site.ts";
import { newHarness } from "./condor-harness.ts";
import { found } from "./own-pool.ts";

describe.skipIf(found === null)("setup on a real pool", { concurrent: true }, () => {
  const pool = found as CondorPool;
  let transport: Transport;
  beforeAll(() => {
    const budget = { commands: 10_000, everyMs: 60_000 };
    transport = sshTransport({ destination: "condor", configFile: pool.sshConfig, budget });
  });
  afterAll(() => transport.close());

  test.each(["shared", "transfer"] as const)("what it changes reaches tasks (%s)", async (placement) => {
    const settings = HtcondorSettings.parse({ ...QUICK, setup: SETUP });
    await expectSetUp(newHarness(pool, transport, placement, settings));
  });
});
