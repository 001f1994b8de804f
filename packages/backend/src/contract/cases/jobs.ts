import { existsSync } from "node:fs";
import { expect } from "vitest";
import type { ContractCase } from "../contract-case.ts";
import { jobOf, ledger, letGo, recordOnStorage, recordPath, shellJob, shellTask, sign, waitFor } from "../specs.ts";

/** Jobs of several tasks, and what the engine is told of them. */
export const jobs: readonly ContractCase[] = [
  {
    name: "several tasks in one job: each has its own record",
    async run({ harness, open }) {
      const session = await open();
      const tasks = [0, 3, 0, 4].map((status, index) => shellTask(`a${index}`, `exit ${status}`));
      await session.submit(jobOf(harness, tasks));
      for (const [index, status] of [0, 3, 0, 4].entries()) {
        const record = await session.finished(`a${index}`);
        expect(record).toMatchObject({ job: "job-of-a0", task: `task-of-a${index}`, exitCode: status });
        expect(recordOnStorage(harness, `a${index}`)).toEqual(record);
      }
    },
  },
  {
    name: "`after` orders the tasks of a job, whatever order they are written in",
    async run({ harness, open }) {
      const session = await open();
      const check = (first: string) => `grep -qx ${first} '${harness.scratch}/ledger'`;
      await session.submit(
        jobOf(
          harness,
          [
            shellTask("last", `${check("middle")} && ${sign(harness, "last")}`, { after: ["middle"] }),
            shellTask("middle", `${check("first")} && sleep 0.1 && ${sign(harness, "middle")}`, { after: ["first"] }),
            shellTask("first", `sleep 0.1 && ${sign(harness, "first")}`),
          ],
          2,
        ),
      );
      for (const attempt of ["first", "middle", "last"]) {
        expect(await session.finished(attempt)).toMatchObject({ state: "succeeded" });
      }
    },
  },
  {
    name: "`after` a failed task: what waits for it is not run, what does not is",
    async run({ harness, open }) {
      const session = await open();
      await session.submit(
        jobOf(harness, [
          shellTask("fails", "exit 1"),
          shellTask("waits", sign(harness, "waits"), { after: ["fails"] }),
          shellTask("waits-too", sign(harness, "waits-too"), { after: ["waits"] }),
          shellTask("free", sign(harness, "free")),
        ]),
      );
      expect(await session.finished("fails")).toMatchObject({ failure: { class: "exit" } });
      expect(await session.finished("waits")).toMatchObject({ failure: { class: "not-reached" } });
      expect(await session.finished("waits-too")).toMatchObject({ failure: { class: "not-reached" } });
      expect(await session.finished("free")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["free"]);
    },
  },
  {
    name: "a record is on the storage before its event, and an event comes once",
    async run({ harness, open }) {
      const tooEarly: string[] = [];
      const session = await open((event) => {
        if (event.type === "finished" && !existsSync(recordPath(harness, event.attempt))) tooEarly.push(event.attempt);
      });
      const attempts = Array.from({ length: 60 }, (_, index) => `a${index}`);
      await session.submit(...attempts.map((attempt) => shellJob(harness, attempt, "true")));
      for (const attempt of attempts) await session.finished(attempt);
      await session.close();
      expect(tooEarly).toEqual([]);
      for (const attempt of attempts) {
        const types = session.events.filter((event) => "attempt" in event && event.attempt === attempt);
        expect(types.map(({ type }) => type)).toEqual(["started", "finished"]);
      }
    },
  },
  {
    name: "submitting again what waits, runs or has a record runs nothing twice",
    async run({ harness, open }) {
      const session = await open();
      const slow = shellJob(harness, "slow", `${sign(harness, "slow")}; ${waitFor(harness, "go")}`, { cpus: 2 });
      const runs = { ...slow, cpus: harness.capacity.cpus };
      const waits = shellJob(harness, "waits", sign(harness, "waits"));
      await session.submit(runs);
      await session.started("slow");
      await session.submit(waits);
      await session.submit(runs, waits);
      await session.submit(waits);
      letGo(harness, "go");
      await session.finished("slow");
      await session.finished("waits");
      expect([session.countFinished("slow"), session.countFinished("waits")]).toEqual([1, 1]);

      const before = recordOnStorage(harness, "waits");
      await session.submit(waits);
      await session.submit(shellJob(harness, "other", "true"));
      await session.finished("other");
      expect(recordOnStorage(harness, "waits")).toEqual(before);
      await session.close();

      const resumed = await open();
      await resumed.submit(runs, waits);
      expect(await resumed.finished("waits")).toEqual(before);
      await resumed.finished("slow");
      expect(ledger(harness)).toEqual(["slow", "waits"]);
    },
  },
  {
    name: "submitting a job of which some attempts have a record runs the others, and its room is free afterwards",
    async run({ harness, open }) {
      const session = await open();
      const works = shellTask("works", sign(harness, "works"));
      const fails = shellTask("fails", `${sign(harness, "fails")}; exit 1`);
      await session.submit(jobOf(harness, [works]), jobOf(harness, [fails]));
      await session.finished("works");
      await session.finished("fails");
      await session.submit(
        jobOf(harness, [works, shellTask("follows", sign(harness, "follows"), { after: ["works"] })]),
        jobOf(harness, [fails, shellTask("cannot", sign(harness, "cannot"), { after: ["fails"] })]),
      );
      expect(await session.finished("follows")).toMatchObject({ state: "succeeded" });
      expect(await session.finished("cannot")).toMatchObject({ failure: { class: "not-reached" } });
      await session.submit({ ...shellJob(harness, "wide", sign(harness, "wide")), cpus: harness.capacity.cpus });
      expect(await session.finished("wide")).toMatchObject({ state: "succeeded" });
      expect(ledger(harness)).toEqual(["fails", "follows", "wide", "works"]);
    },
  },
];
