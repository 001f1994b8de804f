import type { TaskRecord } from "@wf/protocol";
import { expect } from "vitest";
import type { ContractCase } from "../contract-case.ts";
import { jobOf, outputText, shellJob, shellTask } from "../specs.ts";

const timed = (work: string) => `date +%s.%N > out/life; ${work}; date +%s.%N >> out/life`;
const life = [{ name: "life", path: "out/life", kind: "file" as const }];

/** What runs at once fits into what the site has. */
export const capacity: readonly ContractCase[] = [
  {
    name: "never more cpus in use than there are, as the tasks themselves see it",
    async run({ harness, open }) {
      const session = await open();
      const { cpus } = harness.capacity;
      const narrow = Array.from({ length: 4 * cpus }, (_, index) =>
        shellJob(harness, `narrow${index}`, timed("sleep 0.05"), { outputs: life }),
      );
      const wide = Array.from({ length: 3 }, (_, index) => ({
        ...shellJob(harness, `wide${index}`, timed("sleep 0.05"), { outputs: life, cpus }),
        cpus,
      }));
      const many = jobOf(
        harness,
        Array.from({ length: 6 }, (_, index) => shellTask(`many${index}`, timed("sleep 0.05"), { outputs: life })),
      );
      const jobs = [...narrow.slice(0, 3), ...wide, many, ...narrow.slice(3)];
      await session.submit(...jobs);
      const moments: { readonly at: number; readonly change: number }[] = [];
      for (const task of jobs.flatMap(({ tasks }) => tasks)) {
        const record: TaskRecord = await session.finished(task.attempt);
        expect(record).toMatchObject({ state: "succeeded" });
        const [start, end] = outputText(harness, record, "life").split("\n").map(Number);
        moments.push({ at: start ?? Number.NaN, change: task.cpus }, { at: end ?? Number.NaN, change: -task.cpus });
      }
      expect(mostAtOnce(moments)).toBeLessThanOrEqual(cpus);
    },
  },
  {
    name: "what fits side by side runs side by side",
    async run({ harness, open }) {
      const session = await open();
      const meet = (mine: string, other: string) =>
        `touch '${harness.scratch}/${mine}'; while [ ! -e '${harness.scratch}/${other}' ]; do sleep 0.02; done`;
      await session.submit(
        shellJob(harness, "a1", meet("left", "right")),
        shellJob(harness, "a2", meet("right", "left")),
      );
      expect(await session.finished("a1")).toMatchObject({ state: "succeeded" });
      expect(await session.finished("a2")).toMatchObject({ state: "succeeded" });
      const inside = [shellTask("a3", meet("up", "down")), shellTask("a4", meet("down", "up"))];
      await session.submit(jobOf(harness, inside, 2));
      expect(await session.finished("a3")).toMatchObject({ state: "succeeded" });
      expect(await session.finished("a4")).toMatchObject({ state: "succeeded" });
    },
  },
  {
    name: "a job that can never fit is refused at once, and blocks nobody",
    async run({ harness, open }) {
      const session = await open();
      const cpus = harness.capacity.cpus + 1;
      await session.submit(
        { ...shellJob(harness, "huge", "true", { cpus }), cpus },
        { ...shellJob(harness, "hungry", "true"), memoryBytes: harness.capacity.memoryBytes + 1 },
        { ...shellJob(harness, "blind", "true"), gpus: harness.capacity.gpus + 1 },
        shellJob(harness, "small", "true"),
      );
      for (const attempt of ["huge", "hungry", "blind"]) {
        expect(await session.finished(attempt)).toMatchObject({ failure: { class: "not-started" } });
      }
      expect(await session.finished("small")).toMatchObject({ state: "succeeded" });
    },
  },
];

function mostAtOnce(moments: readonly { readonly at: number; readonly change: number }[]): number {
  let inUse = 0;
  let most = 0;
  for (const { change } of [...moments].sort((a, b) => a.at - b.at || a.change - b.change)) {
    inUse += change;
    most = Math.max(most, inUse);
  }
  return most;
}
