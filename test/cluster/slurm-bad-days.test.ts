import { ledger, shellJob, sign, waitFor } from "@wf/backend/contract";
import type { JobSpec } from "@wf/protocol";
import { until } from "@wf/testing";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Stage } from "../clusters/bad-day-stage.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { bringBack, slurm } from "../clusters/slurm-daemons.ts";
import { jobId, onStage as onStageOf, stillQueued } from "./bad-day-stage.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

describe.skipIf(found === null)("bad days on a real cluster", () => {
  let transport: Transport;
  /** It takes more than a minute, in which the others run. */
  let atTimeLimit: Promise<void>;
  beforeAll(() => {
    process.env.SLURM_CONF = cluster.slurmConf;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
    atTimeLimit = onStage({ partitions: [{ name: "short" }], time: "1m" }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "sleep 600"));
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "time-limit", message: expect.stringContaining("TIMEOUT") });
    });
    atTimeLimit.catch(() => undefined);
  });
  afterAll(() => transport.close());

  const onStage = (settings: object, act: (stage: Stage) => Promise<void>) =>
    onStageOf(cluster, transport, settings, act);
  const onNode = (feature: string) => ({ constraint: feature });

  test.each([
    ["a partition that does not exist", { partitions: [{ name: "nosuch" }] }, {}, "Invalid partition"],
    ["an account that does not exist", { account: "nosuch" }, {}, "Invalid account"],
    ["a quality of service that does not exist", { qos: "nosuch" }, {}, "Invalid qos"],
    ["more memory than any node has", {}, { memoryBytes: 100 * 2 ** 30 }, "Memory specification"],
    ["a feature that no node has", { constraint: "nosuch" }, {}, "Invalid feature"],
    ["a line of sbatch that makes no sense", { directives: ["--nosuch"] }, {}, "unrecognized option"],
  ])("%s: SLURM's own words reach the record", async (_what, settings, asked, words) => {
    await onStage(settings, async ({ harness, session }) => {
      await session.submit({ ...shellJob(harness, "a@1", sign(harness, "a@1")), ...asked });
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({ class: "not-started", message: expect.stringContaining(words) });
      expect(ledger(harness)).toEqual([]);
    });
  });

  test("a job that SLURM would keep in the queue for ever is given up", async () => {
    await onStage({ partitions: [{ name: "short" }] }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1"), { timeLimitSeconds: 3600 }));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({
        class: "not-started",
        message: expect.stringMatching(/PartitionTimeLimit.*sinfo/),
      });
      await until("an empty queue", () => stillQueued(harness).length === 0, { lastSeen: () => stillQueued(harness) });
      expect(ledger(harness)).toEqual([]);
    });
  });

  test("a job that is held: it is told apart from others that wait, and runs when somebody releases it", async () => {
    await onStage({ directives: ["--hold"] }, async ({ harness, session, backend }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      await until("a held job", () => backend.queueState().held.size === 1, { lastSeen: () => backend.queueState() });
      expect(backend.queueState()).toMatchObject({
        waiting: new Map(),
        held: new Map([["JobHeldUser", 1]]),
        running: 0,
      });
      slurm("scontrol", "release", jobId(harness));
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
      expect(backend.queueState()).toEqual({
        unsubmitted: 0,
        waiting: new Map(),
        held: new Map(),
        heldJobs: [],
        running: 0,
      });
    });
  });

  test("a job that has to make room for another one", async () => {
    await onStage({ partitions: [{ name: "spare" }], exclusive: true }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "sleep 600"));
      await session.started("a@1");
      const urgent = slurm(
        "sbatch",
        "--parsable",
        "-p",
        "urgent",
        "--exclusive",
        "-o",
        "/dev/null",
        "--wrap",
        "sleep 1",
      );
      const record = await session.finished("a@1");
      slurm("scancel", urgent.trim());
      expect(record.failure).toMatchObject({ class: "preempted", message: expect.stringContaining("PREEMPTED") });
      expect(record.pid).not.toBeNull();
    });
  });

  test("a running job that somebody cancels by hand", async () => {
    await onStage(onNode("c1"), async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "sleep 600"));
      await session.started("a@1");
      slurm("scancel", jobId(harness));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({ class: "cancelled", message: expect.stringContaining("by user 0") });
      expect(record.pid).not.toBeNull();
    });
  });

  test("the last waiting element of an array that somebody cancels by hand: it does not run, and is cancelled", async () => {
    await onStage({ ...onNode("c1"), limits: { arrayAtOnce: 1 } }, async ({ harness, session }) => {
      await session.submit(
        shellJob(harness, "a@1", waitFor(harness, "never")),
        shellJob(harness, "b@1", sign(harness, "b@1")),
      );
      await session.started("a@1");
      slurm("scancel", `${jobId(harness)}_1`);
      expect(await session.finished("b@1")).toMatchObject({
        failure: { class: "cancelled", message: expect.stringContaining("CANCELLED") },
        pid: null,
      });
      expect(ledger(harness)).toEqual([]);
    });
  });

  test("one of several waiting elements that somebody cancels by hand: SLURM forgets it, so it is lost", async () => {
    await onStage({ ...onNode("c1"), limits: { arrayAtOnce: 1 } }, async ({ harness, session }) => {
      await session.submit(
        shellJob(harness, "a@1", waitFor(harness, "never")),
        shellJob(harness, "b@1", sign(harness, "b@1")),
        shellJob(harness, "c@1", sign(harness, "c@1")),
      );
      await session.started("a@1");
      const forgotten = `${jobId(harness)}_1`;
      slurm("scancel", forgotten);
      expect(await session.finished("b@1")).toMatchObject({
        failure: { class: "lost", message: `SLURM knows nothing of its job any more (job ${forgotten})` },
        pid: null,
      });
      expect(ledger(harness)).toEqual([]);
      expect(session.countFinished("c@1")).toBe(0);
    });
  });

  test("a launcher that is killed: its attempt is lost, not forgotten", async () => {
    await onStage(onNode("c1"), async ({ harness, session }) => {
      const kill = "kill -9 $(ps -o ppid= -p $$); sleep 600";
      await session.submit(shellJob(harness, "a@1", kill));
      const record = await session.finished("a@1");
      expect(record).toMatchObject({
        failure: { class: "lost", message: expect.stringContaining("FAILED") },
        host: "c1",
      });
    });
  });

  test("a job whose output cannot be opened", async () => {
    await onStage({ ...onNode("c1"), directives: ["--output=/nosuchdir/%j"] }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "true"));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({ class: "not-started", message: expect.stringContaining("0:53") });
    });
  });

  test("more memory than was asked for", async () => {
    await onStage(onNode("c1"), async ({ harness, session }) => {
      const greedy: JobSpec = {
        ...shellJob(harness, "a@1", `/usr/bin/python3 -c 'x = b"x" * (400 << 20); import time; time.sleep(60)'`, {
          memoryBytes: 100 * 2 ** 20,
        }),
        memoryBytes: 100 * 2 ** 20,
      };
      await session.submit(greedy);
      expect((await session.finished("a@1")).failure?.class).toBe("out-of-memory");
    });
  });

  test("a node that goes down under a task: its job is told apart, and the node is not used again", async () => {
    await onStage({ constraint: "g" }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "sleep 600"));
      await session.started("a@1");
      const node = slurm("squeue", "-h", "-o", "%N", "-j", jobId(harness)).trim();
      slurm("scontrol", "update", `nodename=${node}`, "state=down", "reason=test");
      try {
        const record = await session.finished("a@1");
        expect(record).toMatchObject({ failure: { class: "node-failed" }, host: node });
        bringBack(node);
        await session.submit(shellJob(harness, "a@2", "true"));
        const again = await session.finished("a@2");
        expect(again).toMatchObject({ state: "succeeded" });
        expect(again.host).not.toBe(node);
      } finally {
        bringBack(node);
      }
    });
  });

  test("the only node that a job fits goes down and comes back: it is waited for", async () => {
    await onStage(onNode("g1"), async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "sleep 600"));
      await session.started("a@1");
      slurm("scontrol", "update", "nodename=g1", "state=down", "reason=test");
      try {
        expect((await session.finished("a@1")).failure?.class).toBe("node-failed");
        bringBack("g1");
        await session.submit(shellJob(harness, "a@2", "true"));
        expect(await session.finished("a@2")).toMatchObject({ state: "succeeded", host: "g1" });
      } finally {
        bringBack("g1");
      }
    });
  });

  test("a time limit of SLURM's own", async () => {
    await atTimeLimit;
  });
});
