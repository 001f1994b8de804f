import { rmSync } from "node:fs";
import { join } from "node:path";
import { jobOf, letGo, shellJob, shellTask, waitFor } from "@wf/backend/contract";
import { until } from "@wf/testing";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Stage } from "../clusters/bad-day-stage.ts";
import { AT_ONCE, endEveryJob, GREEDY_NEIGHBOUR, waves } from "../clusters/killed-tasks.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { bringBack, slurm } from "../clusters/slurm-daemons.ts";
import { jobId, onStage } from "./bad-day-stage.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

describe.skipIf(found === null)("a task whose job SLURM ends is never done", () => {
  let transport: Transport;
  beforeAll(() => {
    process.env.SLURM_CONF = cluster.slurmConf;
    transport = localTransport({ budget: { commands: 100_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  const on = (partition: string, act: (stage: Stage) => Promise<void>, more: object = {}) =>
    onStage(cluster, transport, { partitions: [{ name: partition }], ...more }, act);
  const lastJob = (stage: Stage) => jobId(stage.harness, -1);

  test("when it is cancelled", async () => {
    await on("c1", async (stage) => {
      const classes = await endEveryJob(stage, { end: () => void slurm("scancel", lastJob(stage)) });
      expect([...classes]).toEqual(["cancelled"]);
    });
  });

  test("when single elements of an array are cancelled", async () => {
    await on("c1", async (stage) => {
      const end = async () => {
        for (let index = 0; index < AT_ONCE; index++) slurm("scancel", `${lastJob(stage)}_${index}`);
      };
      expect([...(await endEveryJob(stage, { end }))]).toEqual(["cancelled"]);
    });
  });

  test("when every process of it is told to end", async () => {
    await on("c1", async (stage) => {
      const end = () => void slurm("scancel", "--full", "--signal=TERM", lastJob(stage));
      expect([...(await endEveryJob(stage, { end }))]).toEqual(["interrupted"]);
    });
  });

  test("when the step of its ranks is cancelled", async () => {
    await on("main", async (stage) => {
      const end = async () => {
        const steps = () => slurm("squeue", "-h", "-s", "-j", lastJob(stage), "-o", "%i").match(/^\S+\.0$/gm) ?? [];
        await until("the steps of all ranks", () => steps().length === AT_ONCE, { lastSeen: steps });
        slurm("scancel", ...steps());
      };
      const task = { ranks: { nodes: 1, perNode: 2, launch: null }, cpus: 2 };
      const classes = await endEveryJob(stage, { task, job: { cpus: 2 }, hasForerunners: false, end });
      expect([...classes]).not.toContain(undefined);
    });
  });

  test("when several tasks share the job", async () => {
    await on("g1", async (stage) => {
      const end = () => void slurm("scancel", lastJob(stage));
      expect([...(await endEveryJob(stage, { tasksPerJob: AT_ONCE / 2, end }))]).toEqual(["cancelled"]);
    });
  });

  test.each(["CANCEL", "REQUEUE"])("when it has to make room for another one (%s)", async (mode) => {
    slurm("scontrol", "update", "partitionname=spare", `preemptmode=${mode}`);
    try {
      await on("spare", async (stage) => {
        const submitted: string[] = [];
        const end = () => {
          const script = ["--exclusive", "-o", "/dev/null", "--wrap", "sleep 600"];
          submitted.push(slurm("sbatch", "--parsable", "-p", "urgent", ...script).trim());
        };
        const restore = () => void slurm("scancel", submitted.at(-1) as string);
        expect([...(await endEveryJob(stage, { end, restore }))]).toEqual(["preempted"]);
      });
    } finally {
      slurm("scontrol", "update", "partitionname=spare", "preemptmode=CANCEL");
    }
  });

  test("when it is started again", async () => {
    const again = { directives: ["--requeue"] };
    await on(
      "c1",
      async ({ session, harness }) => {
        const [done, goesOn] = [shellTask("done@1", "true"), shellTask("on@1", waitFor(harness, "go"))];
        await session.submit(jobOf(harness, [done, goesOn], 2));
        await session.started("on@1");
        expect(await session.finished("done@1")).toMatchObject({ state: "succeeded" });
        slurm("scontrol", "requeue", jobId(harness));
        expect(await session.settled("done@1")).toMatchObject({ state: "failed" });
      },
      again,
    );
  });

  test("when its node goes down", async () => {
    await on("g2", async (stage) => {
      const end = () => void slurm("scontrol", "update", "nodename=g2", "state=down", "reason=test");
      const restore = () => bringBack("g2");
      expect([...(await endEveryJob(stage, { end, restore }))]).toEqual(["node-failed"]);
    });
  });

  test("when its time is up", async () => {
    await on("c1", async (stage) => {
      const end = () => void slurm("scontrol", "update", `jobid=${lastJob(stage)}`, "EndTime=now");
      // SLURM looks at the clock twice a minute, so what has just succeeded has done so long before.
      expect([...(await endEveryJob(stage, { hasForerunners: false, end }))]).toEqual(["time-limit"]);
    });
  });

  test("when a neighbour in its job takes more memory than the job may have", async () => {
    await on("g1", async (stage) => {
      expect([...(await endEveryJob(stage, GREEDY_NEIGHBOUR))]).not.toContain(undefined);
    });
  });
});

describe.skipIf(found === null)("a task whose node is drained", () => {
  test("goes on, and is done", async () => {
    process.env.SLURM_CONF = cluster.slurmConf;
    const transport = localTransport({ budget: { commands: 100_000, everyMs: 60_000 } });
    try {
      await onStage(cluster, transport, { partitions: [{ name: "g2" }] }, async ({ session, harness }) => {
        for (const attempts of waves()) {
          await session.submit(...attempts.map((attempt) => shellJob(harness, attempt, waitFor(harness, "go"))));
          await Promise.all(attempts.map((attempt) => session.started(attempt)));
          slurm("scontrol", "update", "nodename=g2", "state=drain", "reason=test");
          letGo(harness, "go");
          const records = await Promise.all(attempts.map((attempt) => session.settled(attempt)));
          expect(records.filter(({ state }) => state !== "succeeded")).toEqual([]);
          bringBack("g2");
          rmSync(join(harness.scratch, "go"));
        }
      });
    } finally {
      bringBack("g2");
      await transport.close();
    }
  });
});
