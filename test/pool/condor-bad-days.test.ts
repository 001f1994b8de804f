/** What people and policies do to jobs. All cases share the pool, and run side by side. */
import { chmodSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import {
  type BackendHarness,
  jobOf,
  ledger,
  letGo,
  putObject,
  shellJob,
  shellTask,
  sign,
  waitFor,
} from "@wf/backend/contract";
import { judgePast } from "@wf/backend-cluster";
import { htcondorEndings } from "@wf/backend-htcondor";
import type { JobSpec } from "@wf/protocol";
import { until } from "@wf/testing";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Stage } from "../clusters/bad-day-stage.ts";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { condor, jobId, onStage as onStageOf, type PoolWish, stillQueued } from "./bad-day-stage.ts";
import { found } from "./own-pool.ts";

const pool = found as CondorPool;

describe.skipIf(found === null)("bad days on a real pool", { concurrent: true }, () => {
  let transport: Transport;
  beforeAll(() => {
    process.env.PATH = `${pool.commands}:${process.env.PATH}`;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  const onStage = (settings: PoolWish, act: (stage: Stage) => Promise<void>) =>
    onStageOf(pool, transport, settings, act);
  const untilGone = (harness: BackendHarness) =>
    until("an empty queue", () => stillQueued(harness).length === 0, { lastSeen: () => stillQueued(harness) });
  const eventLog = ({ storage, run }: BackendHarness) => join(storage, "runs", run, "condor.log");

  test.each([
    ["requirements that cannot be read", { requirements: "Memory > (" }, "Parse error in expression"],
    ["an accounting group that cannot be one", { description: ["accounting_group = a b"] }, "accounting_group"],
    ["a line that makes no sense", { description: ["periodic_hold = ("] }, "PeriodicHold"],
  ])("%s: HTCondor's own words reach the record", async (_what, settings, words) => {
    await onStage(settings, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({ class: "not-started", message: expect.stringContaining(words) });
      expect(ledger(harness)).toEqual([]);
    });
  });

  test("a job that was submitted on hold: it is told apart, and runs when somebody releases it", async () => {
    await onStage({ description: ["hold = True"] }, async ({ harness, session, backend }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      await until("a held job", () => backend.queueState().held.size === 1, { lastSeen: () => backend.queueState() });
      const [[reason] = []] = backend.queueState().held;
      expect(reason).toMatch(/submitted on hold.*\[hold 15\.0\]/);
      expect(backend.howToRelease).toContain("condor_release JOB");
      condor("condor_release", jobId(harness));
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
      expect(backend.queueState()).toMatchObject({ unsubmitted: 0, waiting: new Map(), held: new Map(), running: 0 });
    });
  });

  test("a waiting job that somebody holds: its words are shown, and it runs when it is released", async () => {
    await onStage({ requirements: "WfMayRun =?= true" }, async ({ harness, session, backend }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      await until("an idle job", () => backend.queueState().waiting.has("idle"), {
        lastSeen: () => backend.queueState(),
      });
      condor("condor_hold", "-reason", "the disk is full", jobId(harness));
      await until("a held job", () => backend.queueState().held.size === 1, { lastSeen: () => backend.queueState() });
      expect([...backend.queueState().held.keys()]).toEqual([expect.stringContaining("the disk is full")]);
      expect(backend.queueState().waiting).toEqual(new Map());
      condor("condor_qedit", jobId(harness), "Requirements", "NumJobStarts == 0");
      condor("condor_release", jobId(harness));
      expect(await session.finished("a@1")).toMatchObject({ state: "succeeded" });
    });
  });

  test("a running job that is held by hand: it is shown, and released it is not run a second time", async () => {
    await onStage({}, async ({ harness, session, backend }) => {
      await session.submit(shellJob(harness, "a@1", `${sign(harness, "a@1")}; sleep 600`));
      await session.started("a@1");
      condor("condor_hold", "-reason", "room for others", jobId(harness));
      await until("a held job", () => backend.queueState().held.size === 1, { lastSeen: () => backend.queueState() });
      expect(backend.queueState()).toMatchObject({
        running: 0,
        waiting: new Map(),
        held: new Map([[`room for others (by user ${pool.user}) [hold 1.0]`, 1]]),
      });
      condor("condor_release", jobId(harness));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({ class: "preempted", message: expect.stringContaining("condor_release") });
      await untilGone(harness);
      expect(ledger(harness)).toEqual(["a@1"]);
    });
  });

  test.each([
    ["gently", []],
    ["at once", ["-fast"]],
  ])("a job that has to leave its machine %s", async (_how, options) => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", `${sign(harness, "a@1")}; sleep 600`));
      await session.started("a@1");
      condor("condor_vacate_job", ...options, jobId(harness));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({ class: "preempted" });
      await untilGone(harness);
      expect(ledger(harness)).toEqual(["a@1"]);
    });
  });

  test.each([
    ["gently", []],
    ["at once", ["-fast"]],
  ])(
    "a job of several tasks that has to leave its machine %s: what it had not come to has failed nothing",
    async (_how, options) => {
      await onStage({}, async ({ harness, session }) => {
        const tasks = ["a@1", "b@1", "c@1"].map((attempt) => shellTask(attempt, "sleep 600"));
        await session.submit(jobOf(harness, tasks));
        await session.started("a@1");
        condor("condor_vacate_job", ...options, jobId(harness));
        expect((await session.finished("b@1")).failure?.class).toBe("not-reached");
        expect((await session.finished("c@1")).failure?.class).toBe("not-reached");
        expect((await session.finished("a@1")).failure?.class).toBe("preempted");
        const told = session.events.flatMap((event) => (event.type === "finished" ? event.attempt : []));
        expect(told[0]).toBe("a@1");
        await untilGone(harness);
      });
    },
  );

  test("a job that was removed is known by the history, and no success of it stands", async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "sleep 600"));
      await session.started("a@1");
      const job = jobId(harness);
      condor("condor_rm", job);
      const { startedAt, endedAt } = await session.finished("a@1");
      const lives = await until("the history of the job", async () =>
        (await htcondorEndings(transport, [job], new AbortController().signal)).get(job),
      );
      const verdict = judgePast({ startedAt, endedAt, isAlone: true }, lives);
      expect(verdict).toMatchObject({ type: "revoked", failure: { class: "cancelled" } });
    });
  });

  test("a running job that somebody removes by hand", async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "sleep 600"));
      await session.started("a@1");
      condor("condor_rm", jobId(harness));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({
        class: "cancelled",
        message: expect.stringContaining(`via condor_rm (by user ${pool.user})`),
      });
      expect(record.pid).not.toBeNull();
    });
  });

  test("a waiting job that somebody removes by hand", async () => {
    await onStage({ requirements: "Memory > 1000000000" }, async ({ harness, session, backend }) => {
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
      await until("an idle job", () => backend.queueState().waiting.get("idle") === 1, {
        lastSeen: () => backend.queueState(),
      });
      condor("condor_rm", jobId(harness));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({ class: "cancelled", message: expect.stringContaining("via condor_rm") });
      expect(ledger(harness)).toEqual([]);
    });
  });

  test("a launcher that is killed: its attempt is lost, not forgotten", async () => {
    await onStage({}, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "kill -9 $(ps -o ppid= -p $$); sleep 600"));
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "lost", message: expect.stringContaining("signal 9") });
    });
  });

  test.each(["shared", "transfer"] as const)("a job whose shell is not there, under %s", async (placement) => {
    await onStage({ placement, shell: "/no/such/sh" }, async ({ harness, session }) => {
      await session.submit(shellJob(harness, "a@1", "true"));
      const record = await session.finished("a@1");
      expect(record.failure).toMatchObject({ class: "not-started", message: expect.stringContaining("[hold 6.2]") });
      await untilGone(harness);
    });
  });

  test("more memory than was asked for", async () => {
    await onStage({}, async ({ harness, session }) => {
      const memoryBytes = 100 * 2 ** 20;
      const script = `/usr/bin/python3 -c 'x = b"x" * (400 << 20); import time; time.sleep(60)'`;
      const greedy: JobSpec = { ...shellJob(harness, "a@1", script, { memoryBytes }), memoryBytes };
      await session.submit(greedy);
      expect((await session.finished("a@1")).failure?.class).toBe("out-of-memory");
      await untilGone(harness);
    });
  });

  test("a task whose memory breaks a rule of the pool's own", async () => {
    // Now and then HTCondor does not measure a job for minutes, so the rule goes by time as well.
    const rule = "periodic_hold = MemoryUsage > 40 || time() > JobCurrentStartDate + 20";
    await onStage({ description: [rule] }, async ({ harness, session }) => {
      const greedy = `/usr/bin/python3 -c 'x = bytearray(60 << 20); input()'`;
      await session.submit(shellJob(harness, "a@1", `sleep infinity | ${greedy}`));
      await session.started("a@1");
      const measured = () => condor("condor_q", jobId(harness), "-af", "JobStatus", "MemoryUsage", "ResidentSetSize");
      await until("a record", () => session.countFinished("a@1") === 1, { lastSeen: measured });
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "out-of-memory", message: expect.stringContaining("MemoryUsage > 40") });
      await untilGone(harness);
    });
  });

  const accidents: readonly (readonly [string, (log: string) => void])[] = [
    ["moved away", (log) => renameSync(log, `${log}.old`)],
    ["emptied", (log) => truncateSync(log)],
    ["deleted", (log) => rmSync(log)],
  ];
  test.each(accidents)("an event log that is %s during a run: the queue and the history tell", async (_how, happen) => {
    await onStage({}, async ({ harness, session }) => {
      const task = (attempt: string, end: string) =>
        shellJob(harness, attempt, `${sign(harness, attempt)}; ${waitFor(harness, "go")}; ${end}`);
      await session.submit(task("well@1", "true"), task("killed@1", "kill -9 $(ps -o ppid= -p $$); sleep 600"));
      await session.submit(task("removed@1", "sleep 600"));
      for (const attempt of ["well@1", "killed@1", "removed@1"]) await session.started(attempt);
      happen(eventLog(harness));
      letGo(harness, "go");
      expect(await session.finished("well@1")).toMatchObject({ state: "succeeded" });
      expect((await session.finished("killed@1")).failure).toMatchObject({ class: "lost" });
      for (const job of stillQueued(harness)) condor("condor_rm", job.split(" ")[0] as string);
      const { failure } = await session.finished("removed@1");
      expect(failure).toMatchObject({ class: "cancelled", message: expect.stringContaining("via condor_rm") });
      await session.submit(shellJob(harness, "later@1", sign(harness, "later@1")));
      expect(await session.finished("later@1")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["killed@1", "later@1", "removed@1", "well@1"]);
      for (const attempt of ledger(harness)) expect(session.countFinished(attempt)).toBe(1);
    });
  });

  test("an input that HTCondor cannot read", async () => {
    await onStage({ placement: "transfer" }, async ({ harness, session }) => {
      const value = putObject(harness, "nobody reads this", "secret.txt");
      chmodSync(join(harness.storage, "objects", value.hash.slice(0, 2), value.hash), 0);
      const inputs = [{ name: "text", path: "secret.txt", value, how: "link" as const }];
      await session.submit(shellJob(harness, "a@1", sign(harness, "a@1"), { inputs }));
      const { failure } = await session.finished("a@1");
      expect(failure).toMatchObject({ class: "stage-in", message: expect.stringContaining(value.hash) });
      expect(ledger(harness)).toEqual([]);
      await untilGone(harness);
    });
  });
});
