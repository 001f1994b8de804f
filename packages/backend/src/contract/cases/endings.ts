import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { expect } from "vitest";
import type { ContractCase } from "../contract-case.ts";
import { beatingPids, daemonThatBeats, isBeating } from "../daemon.ts";
import { jobOf, ledger, letGo, shellJob, shellTask, sign, waitFor } from "../specs.ts";

/** Time limits and cancelling: a task that is told to end has ended, with all its processes. */
export const endings: readonly ContractCase[] = [
  {
    name: "a time limit: a warning before it, SIGTERM at it, SIGKILL for what does not listen",
    async run({ harness, open }) {
      const session = await open();
      const note = (word: string) => `echo ${word} >> '${harness.scratch}/signals'`;
      const script = `trap "${note("warned")}" USR2; trap "${note("told")}" TERM; while :; do sleep 0.05; done`;
      await session.submit(shellJob(harness, "a1", script, { timeLimitSeconds: 4, warnSeconds: 2, graceSeconds: 2 }));
      expect(await session.finished("a1")).toMatchObject({ state: "failed", failure: { class: "time-limit" } });
      expect(readFileSync(join(harness.scratch, "signals"), "utf8")).toBe("warned\ntold\n");
    },
  },
  {
    name: "cancelling a running attempt ends it",
    async run({ harness, open }) {
      const session = await open();
      await session.submit(shellJob(harness, "a1", "sleep 600"));
      await session.started("a1");
      await session.cancel("a1");
      expect(await session.finished("a1")).toMatchObject({ state: "failed", failure: { class: "cancelled" } });
    },
  },
  {
    name: "cancelling a waiting attempt: it never runs, and has a record",
    async run({ harness, open }) {
      const session = await open();
      const blocks = { ...shellJob(harness, "blocks", waitFor(harness, "go")), cpus: harness.capacity.cpus };
      await session.submit(blocks);
      await session.started("blocks");
      await session.submit(shellJob(harness, "waits", sign(harness, "waits")));
      await session.cancel("waits");
      expect(await session.finished("waits")).toMatchObject({ state: "failed", failure: { class: "cancelled" } });
      await session.cancel("blocks");
      expect(await session.finished("blocks")).toMatchObject({ failure: { class: "cancelled" } });
      expect(ledger(harness)).toEqual([]);
    },
  },
  {
    name: "cancelling tasks of a job whose others go on: one that runs, one that waits, none of the others",
    async run({ harness, open }) {
      const session = await open();
      await session.submit(
        jobOf(
          harness,
          [
            shellTask("stays", `${waitFor(harness, "go")}; ${sign(harness, "stays")}`),
            shellTask("runs", `${waitFor(harness, "never")}; ${sign(harness, "runs")}`),
            shellTask("waits", sign(harness, "waits"), { after: ["stays"] }),
            shellTask("follows", sign(harness, "follows"), { after: ["stays"] }),
          ],
          2,
        ),
      );
      await session.started("stays");
      await session.started("runs");
      await session.cancel("runs", "waits");
      expect(await session.finished("runs")).toMatchObject({ failure: { class: "cancelled" } });
      expect(await session.finished("waits")).toMatchObject({ failure: { class: "cancelled" }, pid: null });
      letGo(harness, "go");
      expect(await session.finished("stays")).toMatchObject({ state: "succeeded" });
      expect(await session.finished("follows")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["follows", "stays"]);
    },
  },
  {
    name: "cancelling a task of a job that waits: the job runs without it",
    async run({ harness, open }) {
      const session = await open();
      const blocks = shellTask("blocks", waitFor(harness, "go"), { cpus: harness.capacity.cpus });
      await session.submit(jobOf(harness, [blocks], harness.capacity.cpus));
      await session.started("blocks");
      await session.submit(
        jobOf(harness, [shellTask("one", sign(harness, "one")), shellTask("two", sign(harness, "two"))]),
      );
      await session.cancel("one");
      expect(await session.finished("one")).toMatchObject({ failure: { class: "cancelled" }, pid: null });
      letGo(harness, "go");
      expect(await session.finished("two")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["two"]);
    },
  },
  {
    name: "cancelling ends the whole tree, processes in sessions of their own too",
    async run({ harness, open }) {
      const session = await open();
      await session.submit(shellJob(harness, "a1", `${daemonThatBeats(harness)}; sleep 600`, { graceSeconds: 0.3 }));
      await until("the daemon of the task", () => isBeating(harness));
      expect(beatingPids(harness)).not.toEqual([]);
      await session.cancel("a1");
      await session.finished("a1");
      // Where a scheduler has removed its job, what was killed may take a moment to be gone.
      const pids = () => beatingPids(harness);
      await until("the end of the daemon", () => pids().length === 0, { lastSeen: pids });
    },
  },
];
