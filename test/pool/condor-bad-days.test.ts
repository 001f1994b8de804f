import { readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import {
  type BackendHarness,
  ContractSession,
  ledger,
  letGo,
  shellJob,
  sign,
  until,
  waitFor,
} from "@wf/backend/contract";
import type { ClusterBackend } from "@wf/backend-cluster";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { onSubmitHost } from "./condor-commands.ts";
import { makeCondorHarness } from "./condor-harness.ts";
import { killDaemon } from "./pool-daemons.ts";

const found = inject("condor");
/** A machine that is lost is waited for as long as the lease of its jobs is. */
const LEASE_TIMEOUT_MS = 120_000;

describe.skipIf(found === null)("bad days on a real pool", () => {
  const pool = found as CondorPool;
  let transport: Transport;
  beforeAll(() => {
    process.env.PATH = `${pool.commands}:${process.env.PATH}`;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  interface Stage {
    readonly harness: BackendHarness;
    readonly session: ContractSession;
    readonly backend: ClusterBackend;
  }

  /** A backend with settings of its own on a storage of its own, for one case. */
  async function onStage(settings: object, act: (stage: Stage) => Promise<void>): Promise<void> {
    const harness = await makeCondorHarness(pool, transport, "shared", settings)();
    const backend = harness.create() as ClusterBackend;
    const session = new ContractSession(backend);
    try {
      await session.open();
      await act({ harness, session, backend });
    } finally {
      await session.clear();
      await harness.dispose();
    }
  }

  const condor = (command: string, ...args: readonly string[]) => onSubmitHost(pool, command, ...args);

  /** What HTCondor calls the only job of a case. */
  function jobOf({ storage, run }: BackendHarness): string {
    const submissions = join(storage, "runs", run, "submissions");
    const [token = ""] = readdirSync(submissions);
    return `${condor("condor_q", "-allusers", "-constraint", `WfToken == "${token}"`, "-af", "ClusterId").trim()}.0`;
  }

  const isQueued = (job: string) => condor("condor_q", "-allusers", job, "-af", "ClusterId").trim() !== "";

  test("a description that HTCondor cannot read: its words reach the record", async () => {
    await onStage({ requirements: "Memory > (" }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "not-started", message: expect.stringContaining("Parse error") });
      expect(ledger(harness)).toEqual([]);
    });
  });

  test("a running job that somebody removes", async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", waitFor(harness, "never")));
      await session.started("a@1");
      condor("condor_rm", jobOf(harness));
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "cancelled", message: expect.stringContaining("via condor_rm") });
    });
  });

  test("a waiting job that somebody holds is told apart from others that wait, and runs when it is released", async () => {
    await onStage({ requirements: "WfMayRun =?= true" }, async ({ harness, session, backend }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      await until(() => backend.queueState().waiting.has("Idle"));
      const job = jobOf(harness);
      condor("condor_hold", "-reason", "the disk is full", job);
      await until(() => backend.queueState().held === 1);
      expect([...backend.queueState().waiting.keys()]).toEqual([expect.stringContaining("the disk is full")]);
      condor("condor_qedit", job, "Requirements", "NumJobStarts == 0");
      condor("condor_release", job);
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
    });
  });

  test("a running job that somebody holds, then releases: it is not executed again", async () => {
    await onStage({}, async ({ harness, session, backend }) => {
      await session.submit(shellJob(harness, "a@1", `${sign(harness, "a@1")}; ${waitFor(harness, "never")}`));
      await session.started("a@1");
      const job = jobOf(harness);
      condor("condor_hold", "-reason", "the disk is full", job);
      await until(() => backend.queueState().held === 1);
      expect([...backend.queueState().waiting.keys()]).toEqual([expect.stringContaining("the disk is full")]);
      condor("condor_release", job);
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "preempted", message: expect.stringContaining("via condor_release") });
      await until(() => !isQueued(job));
      expect(ledger(harness)).toEqual(["a@1"]);
    });
  });

  test("a task whose memory breaks a rule of the pool's own", async () => {
    const rule = "periodic_hold = JobStatus == 2 && MemoryUsage > 40";
    await onStage({ description: [rule] }, async ({ harness, session }) => {
      const greedy = `exec /usr/bin/python3 -c 'import time; x = bytearray(60 << 20); time.sleep(600)'`;
      await session.submit(shellJob(harness, "a@1", greedy));
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "out-of-memory", message: expect.stringContaining("MemoryUsage > 40") });
    });
  });

  test("a job that has to leave its machine: it is not executed again", async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", `${sign(harness, "a@1")}; ${waitFor(harness, "never")}`));
      await session.started("a@1");
      const job = jobOf(harness);
      condor("condor_vacate_job", "-fast", job);
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "preempted" });
      await until(() => !isQueued(job));
      expect(ledger(harness)).toEqual(["a@1"]);
    });
  });

  test("a task that needs more memory than it asked for", async () => {
    await onStage({}, async ({ harness, session }) => {
      const greedy = `exec /usr/bin/python3 -c 'x = []
while True: x.append(bytearray(8 << 20))'`;
      await session.submit({ ...shellJob(harness, "a@1", greedy), memoryBytes: 64 * 2 ** 20 });
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "out-of-memory" });
    });
  });

  test("an event log that is emptied, while a job runs and after it", async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", waitFor(harness, "go")));
      await session.started("a@1");
      const log = join(harness.storage, "runs", harness.run, "condor.log");
      expect(readFileSync(log, "utf8")).toContain("ExecuteEvent");
      truncateSync(log);
      letGo(harness, "go");
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
      truncateSync(log);
      await session.submit(shellJob(harness, "b@1", sign(harness, "b@1")));
      expect(await session.finished("b@1")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["b@1"]);
    });
  });

  test("a schedd that dies: its jobs go on, and others are submitted when it is back", async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", `${sign(harness, "a@1")}; ${waitFor(harness, "go")}`));
      await session.started("a@1");
      killDaemon(pool, "condor_schedd");
      await session.submit(shellJob(harness, "b@1", sign(harness, "b@1")));
      expect(await session.finished("b@1")).toMatchObject({ state: "succeeded" });
      letGo(harness, "go");
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["a@1", "b@1"]);
    });
  });

  test("a machine that is lost under a task: nothing is executed twice", { timeout: LEASE_TIMEOUT_MS }, async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", `${sign(harness, "a@1")}; ${waitFor(harness, "never")}`));
      await session.started("a@1");
      const job = jobOf(harness);
      killDaemon(pool, "condor_startd");
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "node-failed", message: expect.stringContaining("JobLeaseDuration") });
      await until(() => !isQueued(job));
      expect(ledger(harness)).toEqual(["a@1"]);
    });
  });
});
