/** Parts of the cluster that die under a run. */
import { type BackendHarness, ledger, letGo, recordOnStorage, shellJob, sign, waitFor } from "@wf/backend/contract";
import { until } from "@wf/testing";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reviveSlurm, type SlurmCluster } from "../clusters/slurm-cluster.ts";
import { bringBack, endDaemon, slurm } from "../clusters/slurm-daemons.ts";
import { jobId, onStage } from "./bad-day-stage.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

describe.skipIf(found === null)("daemons that die", () => {
  let transport: Transport;
  beforeAll(() => {
    process.env.SLURM_CONF = cluster.slurmConf;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  let gone: Promise<void>[] = [];
  const kill = (daemon: string, signal: NodeJS.Signals = "SIGKILL") => gone.push(endDaemon(cluster, daemon, signal));
  /** A controller that comes back may find that a node has done more than it remembers, and take it out. */
  async function revive(): Promise<void> {
    await Promise.all(gone);
    gone = [];
    await reviveSlurm(cluster);
    for (const node of ["c1", "c2", "g1", "g2"]) bringBack(node);
  }
  const nodeOf = (harness: BackendHarness) => slurm("squeue", "-h", "-o", "%N", "-j", jobId(harness)).trim();

  test("the controller is away: what ends is known, what is submitted waits, and all of it runs once", async () => {
    await onStage(cluster, transport, {}, async ({ harness, session, backend }) => {
      await session.submit(shellJob(harness, "a@1", `${waitFor(harness, "go")}; ${sign(harness, "a@1")}`));
      await session.started("a@1");
      kill("slurmctld", "SIGTERM");
      try {
        letGo(harness, "go");
        expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
        await session.submit(shellJob(harness, "b@1", sign(harness, "b@1")));
        await until("a second sbatch", () => (backend.commandCounts.get("sbatch") ?? 0) >= 2);
        expect(backend.queueState().unsubmitted).toBe(1);
      } finally {
        await revive();
      }
      expect(await session.finished("b@1")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["a@1", "b@1"]);
    });
  });

  test("accounting is away, or was never there: the queue's own word is enough", async () => {
    const withoutSacct = new Proxy(transport, {
      get(target, name: keyof Transport) {
        const value = target[name];
        if (name !== "run") return typeof value === "function" ? value.bind(target) : value;
        const run: Transport["run"] = ({ argv: [program, ...args], ...more }, signal) =>
          target.run({ ...more, argv: [program === "sacct" ? "no-such-sacct" : program, ...args] }, signal);
        return run;
      },
    });
    const cancelled = (over: Transport) =>
      onStage(cluster, over, {}, async ({ harness, session }) => {
        await session.submit(shellJob(harness, "well@1", sign(harness, "well@1")));
        expect(await session.finished("well@1")).toMatchObject({ state: "succeeded" });
        await session.submit(shellJob(harness, "ended@1", "sleep 600"));
        await session.started("ended@1");
        for (const job of slurm("squeue", "-h", "-t", "running", "-o", "%i %Z").split("\n")) {
          const [id = "", folder = ""] = job.split(" ");
          if (folder.startsWith(harness.storage)) slurm("scancel", id);
        }
        const { failure } = await session.finished("ended@1");
        expect(failure).toMatchObject({ class: "cancelled", message: expect.stringContaining("CANCELLED") });
      });
    kill("slurmdbd");
    try {
      await Promise.all([cancelled(transport), cancelled(withoutSacct)]);
    } finally {
      await revive();
    }
  });

  test("a node dies under a task that goes on: nothing is published twice, and the node is not used again", async () => {
    await onStage(cluster, transport, { constraint: "g" }, async ({ harness, session }) => {
      const script = `${waitFor(harness, "go")}; ${sign(harness, "a@1")}`;
      await session.submit(shellJob(harness, "a@1", script));
      await session.started("a@1");
      const node = nodeOf(harness);
      kill(`slurmd-${node}`);
      try {
        const record = await session.finished("a@1");
        expect(record).toMatchObject({ failure: { class: "node-failed" }, host: node });
        letGo(harness, "go");
        await until("the run of a@1", () => ledger(harness).includes("a@1"), { lastSeen: () => ledger(harness) });
        await session.submit(shellJob(harness, "a@2", sign(harness, "a@2")));
        const again = await session.finished("a@2");
        expect(again).toMatchObject({ state: "succeeded" });
        expect(again.host).not.toBe(node);
        expect(recordOnStorage(harness, "a@1")).toEqual(record);
        expect(session.countFinished("a@1")).toBe(1);
      } finally {
        await revive();
      }
    });
  });
});
