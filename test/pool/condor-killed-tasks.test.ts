import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { letGo, waitFor } from "@wf/backend/contract";
import { until } from "@wf/testing";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stage, submittedIds } from "../clusters/bad-day-stage.ts";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { AT_ONCE, endEveryJob, GREEDY_NEIGHBOUR } from "../clusters/killed-tasks.ts";
import { condor, onStage } from "./bad-day-stage.ts";
import { found } from "./own-pool.ts";
import { killProgram } from "./pool-daemons.ts";

const pool = found as CondorPool;
const MIB = 2 ** 20;
const CGROUPS = "/sys/fs/cgroup/memory";

describe.skipIf(found === null)("a task whose job HTCondor ends is never done", () => {
  let transport: Transport;
  beforeAll(() => {
    process.env.PATH = `${pool.commands}:${process.env.PATH}`;
    transport = localTransport({ budget: { commands: 100_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  const lastJobs = ({ harness }: Stage) =>
    submittedIds(harness)
      .toSorted((a, b) => Number(a) - Number(b))
      .at(-1) ?? "";

  test("when it is removed", async () => {
    await onStage(pool, transport, {}, async (stage) => {
      const classes = await endEveryJob(stage, { end: () => void condor("condor_rm", lastJobs(stage)) });
      expect([...classes]).toEqual(["cancelled"]);
    });
  });

  test.each([
    ["gently", []],
    ["at once", ["-fast"]],
  ])("when it has to leave its machine %s", async (_how, options) => {
    await onStage(pool, transport, {}, async (stage) => {
      const end = () => {
        for (let index = 0; index < AT_ONCE; index++)
          condor("condor_vacate_job", ...options, `${lastJobs(stage)}.${index}`);
      };
      expect([...(await endEveryJob(stage, { end }))]).toEqual(["preempted"]);
    });
  });

  test("when it is held, and then removed", async () => {
    await onStage(pool, transport, {}, async (stage) => {
      const end = () => {
        condor("condor_hold", lastJobs(stage));
        condor("condor_rm", lastJobs(stage));
      };
      expect([...(await endEveryJob(stage, { end }))]).not.toContain(undefined);
    });
  });

  test("when several tasks share the job", async () => {
    await onStage(pool, transport, {}, async (stage) => {
      const end = () => void condor("condor_rm", lastJobs(stage));
      expect([...(await endEveryJob(stage, { tasksPerJob: AT_ONCE / 2, end }))]).toEqual(["cancelled"]);
    });
  });

  test("when its machine is lost", async () => {
    await onStage(pool, transport, {}, async (stage) => {
      const end = () => void killProgram(pool, "sbin/condor_startd");
      const restore = async () => {
        await until("the machine to be back", () => condor("condor_status", "-af", "Name") !== "");
      };
      expect([...(await endEveryJob(stage, { end, restore }))]).not.toContain(undefined);
    });
  });

  test("when a neighbour in its job takes more memory than the job may have", async () => {
    await onStage(pool, transport, {}, async (stage) => {
      expect([...(await endEveryJob(stage, GREEDY_NEIGHBOUR))]).not.toContain(undefined);
    });
  });

  const whyNoLimit = existsSync(CGROUPS) ? "" : ` (skipped: there is no ${CGROUPS}, control groups of version 1)`;
  test.skipIf(whyNoLimit)(`when the machine runs out of memory, though the job does not${whyNoLimit}`, async () => {
    await onStage(pool, transport, {}, async (stage) => {
      const { scratch } = stage.harness;
      const place = join(scratch, "cgroup");
      /** All jobs of the pool together stand for the machine. */
      const allow = (bytes: number) => {
        const ofJob = /^\d+:memory:(.+)$/m.exec(readFileSync(place, "utf8"))?.[1] ?? "/";
        expect(dirname(ofJob), "the jobs of a pool have a control group of their own").not.toBe("/");
        writeFileSync(join(CGROUPS, dirname(ofJob), "memory.limit_in_bytes"), String(bytes));
      };
      const classes = await endEveryJob(stage, {
        script: (harness) =>
          `cat /proc/self/cgroup > '${place}'.$$; mv '${place}'.$$ '${place}'; ${waitFor(harness, "go")}; ` +
          `python3 -c 'x = b"x" * (300 << 20); import time; time.sleep(600)'; exit 0`,
        job: { memoryBytes: 600 * MIB },
        hasForerunners: false,
        async end() {
          await until("the control group of a job", () => existsSync(place));
          allow(200 * MIB);
          letGo(stage.harness, "go");
        },
        restore() {
          allow(-1);
          rmSync(join(scratch, "go"), { force: true });
        },
      });
      expect([...classes]).not.toContain(undefined);
    });
  });
});
