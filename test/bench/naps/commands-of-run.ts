import { toldIn } from "./told.ts";

/** How many commands of the scheduler a run of `wf run --json` took. */
export function commandsOfRun(stdout: string): number {
  const last = toldIn(stdout).findLast(({ type }) => type === "queue") as { commands?: Record<string, number> };
  const commands = last?.commands;
  if (commands === undefined) throw new Error("wf did not tell how often it asked the scheduler");
  const shown = Object.entries(commands).map(([name, count]) => `${count} ${name}`);
  process.stderr.write(`  ${shown.join(", ")}\n`);
  return Object.values(commands).reduce((sum, count) => sum + count, 0);
}
