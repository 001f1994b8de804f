import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JobSpec } from "@wf/backend";
import { type BackendHarness, ContractSession, ledger, shellJob, sign, until, waitFor } from "@wf/backend/contract";
import { type SlurmBackend, slurmBackend } from "@wf/backend-slurm";
import { SlurmSettings } from "@wf/site";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { makeSlurmHarness } from "./slurm-harness.ts";

const found = inject("slurm");
const cluster = found as SlurmCluster;
/** SLURM looks at time limits twice a minute. */
const TIME_LIMIT_TIMEOUT_MS = 150_000;
const QUICK = { batchWindow: 0.05, poll: { every: 1, atMost: 5 }, budget: { commands: 1000 } } as const;

describe.skipIf(found === null)("bad days on a real cluster", () => {
  let transport: Transport;
  beforeAll(() => {
    process.env.SLURM_CONF = cluster.slurmConf;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  interface Stage {
    readonly harness: BackendHarness;
    readonly session: ContractSession;
    readonly backend: SlurmBackend;
  }

  async function onStage(settings: object, act: (stage: Stage) => Promise<void>): Promise<void> {
    const harness = await makeSlurmHarness(cluster, transport)();
    const { run, storage } = harness;
    const parsed = SlurmSettings.parse({ ...QUICK, ...settings });
    const backend = slurmBackend({ run, storage, settings: parsed, transport, python: "/usr/bin/python3" });
    const session = new ContractSession(backend);
    try {
      await session.open();
      await act({ harness, session, backend });
    } finally {
      await session.clear();
      await harness.dispose();
    }
  }

  const slurm = (command: string, ...args: string[]) => execFileSync(command, args, { encoding: "utf8" });
  /** Of a run whose submissions are all of one job. */
  function jobIds(harness: BackendHarness): readonly string[] {
    const root = join(harness.storage, "runs", harness.run, "submissions");
    const ids = readdirSync(root).map((token) => join(root, token, "id"));
    return ids.filter(existsSync).map((file) => readFileSync(file, "utf8"));
  }
  const jobId = (harness: BackendHarness) => jobIds(harness)[0] as string;
  const stillQueued = (harness: BackendHarness) =>
    slurm("squeue", "-h", "-o", "%i %T", "-j", [...jobIds(harness), "1"].join(","))
      .split("\n")
      .filter((line) => /PENDING|RUNNING/.test(line));
  /** It may have come back by itself. */
  function bringBack(node: string): void {
    const isDown = () => /down|drain/i.test(slurm("sinfo", "-h", "-n", node, "-o", "%T"));
    if (isDown()) slurm("scontrol", "update", `nodename=${node}`, "state=resume");
  }
  const onNode = (feature: string) => ({ constraint: feature });

  test("a partition that does not exist: SLURM's own words reach the record", async () => {
    await onStage({ partitions: [{ name: "nosuch" }] }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "true"));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({
        class: "not-started",
        message: expect.stringContaining("Invalid partition"),
      });
    });
  });

  test("a job that SLURM would keep in the queue for ever is given up", async () => {
    await onStage({ partitions: [{ name: "short" }] }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1"), { timeLimitSeconds: 3600 }));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({
        class: "not-started",
        message: expect.stringContaining("PartitionTimeLimit"),
      });
      await until(() => stillQueued(harness).length === 0);
      expect(ledger(harness)).toEqual([]);
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

  test("a controller that hangs while a job is submitted: one job, and its result", async () => {
    await onStage({}, async ({ harness, session, backend }) => {
      const controller = Number(readFileSync(join(cluster.folder, "run/slurmctld.pid"), "utf8"));
      const submissions = join(harness.storage, "runs", harness.run, "submissions");
      process.kill(controller, "SIGSTOP");
      try {
        await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
        const tried = () =>
          existsSync(submissions) &&
          readdirSync(submissions).some((token) => existsSync(join(submissions, token, "tried")));
        await until(tried);
        await until(() => (backend.commandCounts.get("sbatch") ?? 0) > 0);
        await new Promise((resolve) => setTimeout(resolve, 12_000));
      } finally {
        process.kill(controller, "SIGCONT");
      }
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["a@1"]);
      const [token = ""] = readdirSync(submissions);
      const name = readFileSync(join(submissions, token, "name"), "utf8");
      expect(slurm("squeue", "-h", "-t", "all", "-o", "%A", "-n", name)).toMatch(/^\d+\n$/);
    });
  });

  test("a time limit of SLURM's own", { timeout: TIME_LIMIT_TIMEOUT_MS }, async () => {
    await onStage({ partitions: [{ name: "short" }], time: "1m" }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "sleep 600"));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({ class: "time-limit", message: expect.stringContaining("TIMEOUT") });
    });
  });
});
