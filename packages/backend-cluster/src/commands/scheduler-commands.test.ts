import { expect, test } from "vitest";
import { SchedulerCommands } from "./scheduler-commands.ts";

const { signal } = new AbortController();

test("a command that the site runs itself is counted once, and so is what it needed besides", async () => {
  const result = { code: 0, signal: null, stdout: "", stderr: "" };
  const commands = new SchedulerCommands(async () => result, { commands: 1000, per: 1 });
  await commands.run(["squeue", "-h"], signal);
  await commands.waitFor("sbatch", signal);
  commands.noteRun({ sbatch: 1, squeue: 2 }, "sbatch");
  commands.noteRun({ sacct: 1 });
  expect(Object.fromEntries(commands.counts)).toEqual({ squeue: 3, sbatch: 1, sacct: 1 });
});
