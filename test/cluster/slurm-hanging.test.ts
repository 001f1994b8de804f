/** A controller that neither answers nor refuses: its process is stopped. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ledger, letGo, shellJob, sign, waitFor } from "@wf/backend/contract";
import { until } from "@wf/testing";
import { localTransport, type Transport } from "@wf/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { submissionsOf } from "../clusters/bad-day-stage.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { daemonOf, slurm } from "../clusters/slurm-daemons.ts";
import { onStage } from "./bad-day-stage.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

/** Whether an sbatch of these submissions waits for its answer. */
function isSubmitting(submissions: string): boolean {
  const commands = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf);
  return commands.some((words) => /(^|\/)sbatch\0/.test(words) && words.includes(submissions));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

describe.skipIf(found === null)("a controller that hangs", () => {
  let transport: Transport;
  beforeAll(() => {
    process.env.SLURM_CONF = cluster.slurmConf;
    transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  });
  afterAll(() => transport.close());

  test("while a job is submitted: one job, and its result", async () => {
    await onStage(cluster, transport, {}, async ({ harness, session, backend }) => {
      const controller = daemonOf(cluster, "slurmctld");
      const submissions = submissionsOf(harness);
      process.kill(controller, "SIGSTOP");
      try {
        await session.submit(shellJob(harness, "a@1", sign(harness, "a@1")));
        const tried = () =>
          existsSync(submissions) &&
          readdirSync(submissions).some((token) => existsSync(join(submissions, token, "tried")));
        await until("the submission to be tried", tried);
        await until("sbatch", () => isSubmitting(submissions) || (backend.commandCounts.get("sbatch") ?? 0) > 0);
        await until("sbatch to give up", () => !isSubmitting(submissions));
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

  test("while jobs run: that squeue gives up says nothing of them", async () => {
    await onStage(cluster, transport, { constraint: "c1" }, async ({ harness, session, backend }) => {
      const task = (attempt: string, end: string) =>
        shellJob(harness, attempt, `${sign(harness, attempt)}; ${waitFor(harness, "go")}; ${end}`);
      await session.submit(task("well@1", "true"), task("killed@1", "kill -9 $(ps -o ppid= -p $$); sleep 600"));
      await session.started("well@1");
      await session.started("killed@1");
      const asked = () => backend.commandCounts.get("squeue") ?? 0;
      const controller = daemonOf(cluster, "slurmctld");
      const before = asked();
      process.kill(controller, "SIGSTOP");
      try {
        letGo(harness, "go");
        expect(await session.finished("well@1")).toMatchObject({ state: "succeeded" });
        // One may have been answered before. The next is asked only when the last has given up.
        await until("two more calls of squeue", () => asked() >= before + 2);
        expect(session.countFinished("killed@1")).toBe(0);
      } finally {
        process.kill(controller, "SIGCONT");
      }
      expect(await session.finished("killed@1")).toMatchObject({ failure: { class: "lost" }, host: "c1" });
      await session.submit(shellJob(harness, "killed@2", sign(harness, "killed@2")));
      expect(await session.finished("killed@2")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["killed@1", "killed@2", "well@1"]);
      for (const attempt of ["well@1", "killed@1", "killed@2"]) expect(session.countFinished(attempt)).toBe(1);
    });
  });
});
