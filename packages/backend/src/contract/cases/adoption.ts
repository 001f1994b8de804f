import { until } from "@wf/testing";
import { expect } from "vitest";
import type { ContractCase } from "../contract-case.ts";
import { hasLeft, jobOf, ledger, letGo, shellJob, shellTask, sign, waitFor } from "../specs.ts";

/** An engine goes, another comes: nothing is lost and nothing runs twice. */
export const adoption: readonly ContractCase[] = [
  {
    name: "after a killed engine: what runs, what has ended and what was never there are told apart",
    async run({ harness, open }) {
      const killed = await open();
      const run = (attempt: string, gate: string) =>
        shellJob(harness, attempt, `${sign(harness, attempt)}; ${waitFor(harness, gate)}`);
      letGo(harness, "at once");
      await killed.submit(run("seen", "at once"));
      await killed.finished("seen");
      await killed.submit(run("unseen", "alone"), run("slow", "go"));
      await killed.started("unseen");
      await killed.started("slow");
      await killed.crash(harness);
      letGo(harness, "alone");
      await until("what unseen leaves", () => hasLeft(harness, "unseen"));

      const resumed = await open();
      const adoptions = await resumed.adopt("seen", "unseen", "slow", "never");
      expect(Object.fromEntries(adoptions)).toEqual({
        seen: "finished",
        unseen: "finished",
        slow: "running",
        never: "never-submitted",
      });
      expect(await resumed.finished("unseen")).toMatchObject({ state: "succeeded" });
      expect(await resumed.finished("seen")).toMatchObject({ state: "succeeded" });
      expect(resumed.countFinished("slow")).toBe(0);
      letGo(harness, "go");
      expect(await resumed.finished("slow")).toMatchObject({ state: "succeeded" });
      await resumed.submit(run("never", "at once"));
      expect(await resumed.finished("never")).toMatchObject({ state: "succeeded" });
      await resumed.close();
      for (const attempt of adoptions.keys()) expect(resumed.countFinished(attempt)).toBe(1);
      expect(ledger(harness)).toEqual(["never", "seen", "slow", "unseen"]);
    },
  },
  {
    name: "after a killed engine: an attempt that was waiting runs once",
    async run({ harness, open }) {
      const killed = await open();
      const blocks = { ...shellJob(harness, "blocks", waitFor(harness, "go")), cpus: harness.capacity.cpus };
      const waits = shellJob(harness, "waits", sign(harness, "waits"));
      await killed.submit(blocks);
      await killed.started("blocks");
      await killed.submit(waits);
      await killed.crash(harness);

      const resumed = await open();
      const adoptions = await resumed.adopt("blocks", "waits");
      expect(adoptions.get("blocks")).toBe("running");
      expect(["running", "never-submitted"]).toContain(adoptions.get("waits"));
      if (adoptions.get("waits") === "never-submitted") await resumed.submit(waits);
      letGo(harness, "go");
      await resumed.finished("blocks");
      expect(await resumed.finished("waits")).toMatchObject({ state: "succeeded" });
      await resumed.close();
      expect(resumed.countFinished("waits")).toBe(1);
      expect(ledger(harness)).toEqual(["waits"]);
    },
  },
  {
    name: "after a killed engine: a job whose tasks follow one another goes on, and can be cancelled",
    async run({ harness, open }) {
      const killed = await open();
      await killed.submit(
        jobOf(harness, [
          shellTask("one", `${sign(harness, "one")}; ${waitFor(harness, "go")}`),
          shellTask("two", `${sign(harness, "two")}; sleep 600`, { after: ["one"] }),
        ]),
      );
      await killed.started("one");
      await killed.crash(harness);
      letGo(harness, "go");
      await until("the start of two", () => ledger(harness).includes("two"), { lastSeen: () => ledger(harness) });

      const resumed = await open();
      const adoptions = await resumed.adopt("one", "two");
      expect(Object.fromEntries(adoptions)).toEqual({ one: "finished", two: "running" });
      await resumed.cancel("two");
      expect(await resumed.finished("two")).toMatchObject({ failure: { class: "cancelled" } });
      expect(await resumed.finished("one")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["one", "two"]);
    },
  },
  {
    name: "closing drops what waits, says what it leaves in a queue, and another engine submits it again",
    async run({ harness, open }) {
      const first = await open();
      const { cpus } = harness.capacity;
      await first.submit({
        ...shellJob(harness, "runs@1", `${sign(harness, "runs@1")}; ${waitFor(harness, "go")}`),
        cpus,
      });
      await first.started("runs@1");
      await first.submit({ ...shellJob(harness, "waits@1", sign(harness, "waits@1")), cpus });
      const isQueued = (attempt: string) =>
        first.events.some((event) => event.type === "queued" && event.attempts.some((one) => one.attempt === attempt));
      if (isQueued("runs@1")) await until("waits@1 in the queue", () => isQueued("waits@1"));
      const left = await first.close();
      expect(left?.jobs ?? []).toHaveLength(first.backend.capabilities.capacity === null ? 1 : 0);

      const second = await open();
      const fates = await second.adopt("runs@1", "waits@1");
      expect(fates.get("runs@1")).toBe("running");
      letGo(harness, "go");
      expect(await second.finished("runs@1")).toMatchObject({ state: "succeeded" });
      if (fates.get("waits@1") === "finished") {
        expect(await second.finished("waits@1")).toMatchObject({ failure: { class: "cancelled" } });
        await second.submit({ ...shellJob(harness, "waits@2", sign(harness, "waits@2")), cpus });
        await second.finished("waits@2");
      }
      expect(ledger(harness)).not.toContain("waits@1");
    },
  },
  {
    name: "closing leaves what runs to finish, and it can be adopted",
    async run({ harness, open }) {
      const first = await open();
      await first.submit(shellJob(harness, "slow", `${sign(harness, "slow")}; ${waitFor(harness, "go")}`));
      await first.started("slow");
      await first.close();

      const second = await open();
      expect((await second.adopt("slow")).get("slow")).toBe("running");
      letGo(harness, "go");
      expect(await second.finished("slow")).toMatchObject({ state: "succeeded" });
      expect(first.countFinished("slow")).toBe(0);
      expect(ledger(harness)).toEqual(["slow"]);
    },
  },
];
