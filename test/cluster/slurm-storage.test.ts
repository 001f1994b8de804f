/** A storage that cannot be written, or is full. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type BackendHarness, ContractSession, ledger, shellJob, sign } from "@wf/backend/contract";
import { slurmBackend } from "@wf/backend-slurm";
import { SlurmSettings } from "@wf/site";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { found } from "./own-cluster.ts";
import { newHarness } from "./slurm-harness.ts";

const cluster = found as SlurmCluster;
const SETTINGS = SlurmSettings.parse({ batchWindow: 0.05, poll: { every: 1, atMost: 5 } });

describe.skipIf(found === null)("storage on a bad day", () => {
  let transport: Transport;
  beforeAll(() => {
    process.env.SLURM_CONF = cluster.slurmConf;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  /** A file system of its own, which the nodes see, as they are on this machine. */
  async function onSmallDisk(act: (harness: BackendHarness, session: ContractSession) => Promise<void>): Promise<void> {
    const harness = newHarness(cluster, transport, SETTINGS);
    const storage = join(harness.storage, "disk");
    mkdirSync(storage);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=777", "tmpfs", storage]);
    const { run } = harness;
    const backend = slurmBackend({ run, storage, settings: SETTINGS, transport, python: "/usr/bin/python3" });
    const session = new ContractSession(backend);
    try {
      await act({ ...harness, storage }, session);
    } finally {
      // A backend that is broken, or was never opened, has nothing to clear.
      await session.clear().catch(() => undefined);
      execFileSync("umount", ["-l", storage]);
      await harness.dispose();
    }
  }
  const makeReadOnly = ({ storage }: BackendHarness) => execFileSync("mount", ["-o", "remount,ro", storage]);

  test("read-only from the start: opening says so, with the path", async () => {
    await onSmallDisk(async (harness, session) => {
      makeReadOnly(harness);
      await expect(session.open()).rejects.toMatchObject({
        code: expect.stringMatching(/^WF_/),
        message: expect.stringMatching(/read-only/i),
      });
    });
  });

  test("read-only later: the run is told that the site cannot be used, and nothing was started", async () => {
    await onSmallDisk(async (harness, session) => {
      await session.open();
      makeReadOnly(harness);
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      await expect(session.finished("a@1")).rejects.toMatchObject({
        code: expect.stringMatching(/^WF_/),
        message: expect.stringMatching(/read-only/i),
      });
      expect(ledger(harness)).toEqual([]);
    });
  });

  test("full under a task: its record says that the disk is full", async () => {
    await onSmallDisk(async (harness, session) => {
      await session.open();
      const fill = "dd if=/dev/zero of=tmp/fill bs=1M count=32";
      await session.submit(shellJob(harness, "a@1", fill));
      expect(await session.finished("a@1")).toMatchObject({ state: "failed", failure: { class: "disk-full" } });
    });
  });
});
