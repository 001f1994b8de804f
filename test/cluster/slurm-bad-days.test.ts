import type { JobSpec } from "@wf/backend";
import { ledger, shellJob, sign, until, waitFor } from "@wf/backend/contract";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Stage } from "../clusters/bad-day-stage.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { bringBack, jobId, onStage as onStageOf, slurm, stillQueued } from "./bad-day-stage.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;
/** SLURM looks at time limits twice a minute. */
const TIME_LIMIT_TIMEOUT_MS = 150_000;

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
      await until(() => stillQueued(harness).length === 0);
      expect(ledger(harness)).toEqual([]);
    });
  });

  test("a job that is held: it is told apart from others that wait, and runs when somebody releases it", async () => {
    await onStage({ directives: ["--hold"] }, async ({ harness, session, backend }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      await until(() => backend.queueState().held === 1);
      expect(backend.queueState()).toMatchObject({ waiting: new Map([["JobHeldUser", 1]]), running: 0 });
      slurm("scontrol", "release", jobId(harness));
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
      expect(backend.queueState()).toEqual({ unsubmitted: 0, waiting: new Map(), held: 0, heldJobs: [], running: 0 });
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

  test("a waiting element of an array that somebody cancels by hand: it does not run, and is lost", async () => {
    await onStage({ ...onNode("c1"), limits: { arrayAtOnce: 1 } }, async ({ harness, session }) => {
      await session.submit(
        shellJob(harness, "a@1", waitFor(harness, "never")),
        shellJob(harness, "b@1", sign(harness, "b@1")),
      );
      await session.started("a@1");
      slurm("scancel", `${jobId(harness)}_1`);
      const record = await session.finished("b@1");
      expect(["lost", "cancelled"]).toContain(record.failure?.class);
      expect(ledger(harness)).toEqual([]);
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

  test("a time limit of SLURM's own", { timeout: TIME_LIMIT_TIMEOUT_MS }, async () => {
    await atTimeLimit;
  });
});
