/** Parts of the pool that die under a run, or are set otherwise. One case after the other: they share what they break. */
import { appendFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BackendHarness, ledger, letGo, recordOnStorage, shellJob, sign, waitFor } from "@wf/backend/contract";
import { until } from "@wf/testing";
import { localTransport, sshTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stage, submissionsOf } from "../clusters/bad-day-stage.ts";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { condor, onStage as onStageOf, type PoolWish, stillQueued } from "./bad-day-stage.ts";
import { found } from "./own-pool.ts";
import { killProgram } from "./pool-daemons.ts";

const pool = found as CondorPool;
const BUDGET = { commands: 10_000, everyMs: 60_000 };
const SCHEDD = "sbin/condor_schedd";
const STARTD = "sbin/condor_startd";

describe.skipIf(found === null)("a pool whose parts die", () => {
  let transport: Transport;
  /** It takes as long as the lease of a job is, in which those run that need neither this machine nor the queue. */
  let afterLostMachine: Promise<void>;
  beforeAll(async () => {
    process.env.PATH = `${pool.commands}:${process.env.PATH}`;
    transport = localTransport({ budget: BUDGET });
    await new Promise<void>((resolve) => {
      afterLostMachine = loseMachine(resolve);
      afterLostMachine.catch(resolve);
    });
  });
  afterAll(() => transport.close());

  const onStage = (settings: PoolWish, act: (stage: Stage) => Promise<void>) =>
    onStageOf(pool, transport, settings, act);

  /** How many jobs HTCondor has had for the submissions of a run, in the queue or before. */
  function jobsEver(harness: BackendHarness): number {
    const tokens = readdirSync(submissionsOf(harness)).map((token) => `WfToken == "${token}"`);
    const asked = ["-constraint", tokens.join(" || "), "-af", "WfToken"];
    const said = condor("condor_q", "-allusers", ...asked) + condor("condor_history", ...asked);
    return said.split("\n").filter(Boolean).length;
  }

  /** Of what other cases have left in it. */
  async function emptyQueue(): Promise<void> {
    condor("condor_rm", "-all");
    await until("an empty queue", () => condor("condor_q", "-allusers", "-af", "ClusterId").trim() === "", {
      lastSeen: () => condor("condor_q", "-allusers"),
    });
  }

  /** One that is reading its settings does not answer. */
  function knows(daemon: string, name: string, value: string): boolean {
    try {
      return condor("condor_config_val", daemon, name).trim() === value;
    } catch {
      return false;
    }
  }

  /** A setting that a daemon knows until `act` has ended. */
  async function whileSet(
    daemon: "-schedd" | "-startd",
    [name, value]: readonly [string, string],
    act: () => Promise<void>,
  ): Promise<void> {
    const file = join(pool.folder, "local.conf");
    appendFileSync(file, `${name} = ${value}\n`);
    condor("condor_reconfig");
    await until(`${name} in ${daemon}`, () => knows(daemon, name, value));
    try {
      await act();
    } finally {
      rmSync(file);
      condor("condor_reconfig");
    }
  }

  async function loseMachine(onLost: () => void): Promise<void> {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", `${sign(harness, "a@1")}; ${waitFor(harness, "go")}`));
      await session.started("a@1");
      killProgram(pool, STARTD);
      onLost();
      const record = await session.finished("a@1");
      expect(record.failure, record.failure?.message).toMatchObject({ class: "node-failed" });
      letGo(harness, "go");
      await until("an empty queue", () => stillQueued(harness).length === 0, { lastSeen: () => stillQueued(harness) });
      await session.submit(shellJob(harness, "a@2", sign(harness, "a@2")));
      expect(await session.finished("a@2")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["a@1", "a@2"]);
      expect(recordOnStorage(harness, "a@1")).toEqual(record);
      expect(session.countFinished("a@1")).toBe(1);
    });
  }

  test.each(["shared", "transfer"] as const)("the connection is cut while tasks run, under %s", async (placement) => {
    const overSsh = sshTransport({ destination: "condor", configFile: pool.sshConfig, budget: BUDGET });
    const task = (harness: BackendHarness, attempt: string) =>
      shellJob(harness, attempt, `${sign(harness, attempt)}; ${waitFor(harness, attempt)}`);
    try {
      await onStageOf(pool, overSsh, { placement }, async ({ harness, session }) => {
        await session.submit(task(harness, "a@1"));
        await session.started("a@1");
        killProgram(pool, "lib/openssh/sshd-session");
        await session.submit(task(harness, "b@1"));
        await session.started("b@1");
        killProgram(pool, "lib/openssh/sshd-session");
        letGo(harness, "a@1");
        expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
        letGo(harness, "b@1");
        expect(await session.finished("b@1")).toMatchObject({ state: "succeeded" });
        expect(ledger(harness)).toEqual(["a@1", "b@1"]);
        expect(overSsh.counts.connections).toBeGreaterThan(1);
      });
    } finally {
      await overSsh.close();
    }
  });

  test("a machine dies under a task: nothing is published twice, and its job does not wait for ever", async () => {
    await afterLostMachine;
  });

  test("the schedd dies while a job runs, and is away while one is submitted: both run once", async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", `${sign(harness, "a@1")}; ${waitFor(harness, "go")}`));
      await session.started("a@1");
      killProgram(pool, SCHEDD);
      await session.submit(shellJob(harness, "b@1", sign(harness, "b@1")));
      expect(await session.finished("b@1")).toMatchObject({ state: "succeeded" });
      letGo(harness, "go");
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["a@1", "b@1"]);
      expect(jobsEver(harness)).toBe(2);
    });
  });

  test("the schedd dies while it takes a job: there is one job, and its result", async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      const isBeingTaken = () => {
        const root = submissionsOf(harness);
        return existsSync(root) && readdirSync(root).some((token) => existsSync(join(root, token, "tried")));
      };
      await until("the job to be taken", isBeingTaken);
      killProgram(pool, SCHEDD);
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["a@1"]);
      expect(jobsEver(harness)).toBe(1);
    });
  });

  test("more jobs than one submission may have: HTCondor's words reach the record", async () => {
    await whileSet("-schedd", ["MAX_JOBS_PER_SUBMISSION", "2"], async () => {
      await onStage({}, async ({ harness, session }) => {
        const attempts = ["a@1", "b@1", "c@1"];
        await session.submit(...attempts.map((attempt) => shellJob(harness, attempt, sign(harness, attempt))));
        for (const attempt of attempts) {
          expect((await session.finished(attempt)).failure).toMatchObject({
            class: "not-started",
            message: expect.stringContaining("MAX_JOBS_PER_SUBMISSION"),
          });
        }
        expect(ledger(harness)).toEqual([]);
      });
    });
  });

  test("more jobs than one may have in the queue: the others wait, and go on", async () => {
    await emptyQueue();
    await whileSet("-schedd", ["MAX_JOBS_PER_OWNER", "1"], async () => {
      await onStage({}, async ({ harness, session, backend }) => {
        await session.submit(shellJob(harness, "a@1", `${sign(harness, "a@1")}; ${waitFor(harness, "go")}`));
        await session.started("a@1");
        const asked = () => backend.commandCounts.get("condor_submit") ?? 0;
        const before = asked();
        await session.submit(shellJob(harness, "b@1", sign(harness, "b@1")));
        await until("another condor_submit", () => asked() > before);
        expect(backend.queueState()).toMatchObject({ unsubmitted: 1, running: 1 });
        letGo(harness, "go");
        expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
        expect(await session.finished("b@1")).toMatchObject({ state: "succeeded" });
        expect(ledger(harness)).toEqual(["a@1", "b@1"]);
      });
    });
  });

  test("machines that start no job: it is given up after some tries", async () => {
    await whileSet("-startd", ["STARTER", "/bin/false"], async () => {
      await onStage({}, async ({ harness, session }) => {
        await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
        const { failure } = await session.finished("a@1");
        expect(failure).toMatchObject({
          class: "not-started",
          message: expect.stringMatching(/tried \d+ times in vain.*condor_q -analyze/),
        });
        await until("an empty queue", () => stillQueued(harness).length === 0, {
          lastSeen: () => stillQueued(harness),
        });
        expect(ledger(harness)).toEqual([]);
      });
    });
    // It has learnt from the program what it can do, and does not ask again.
    killProgram(pool, STARTD);
  });
});
