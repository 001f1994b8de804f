import type { Benchmark } from "./benchmark.ts";
import { benchCluster } from "./slurm/bench-cluster.ts";
import { quietQueue } from "./slurm/hand-written.ts";
import { napping, napsOn } from "./slurm/naps.ts";
import { toldIn } from "./slurm/told.ts";

const TASKS = 1000;
const MOST_COMMANDS = 20;

export const slurmCalls: Benchmark = {
  name: "slurm-calls",
  description: `commands of the scheduler for ${TASKS} tasks of half a second as arrays`,
  async run() {
    const cluster = await benchCluster();
    const { stdout } = await napping(napsOn(cluster), TASKS, 0.5, "--json");
    await quietQueue();
    const last = toldIn(stdout).findLast(({ type }) => type === "queue") as { commands?: Record<string, number> };
    const commands = last?.commands;
    if (commands === undefined) throw new Error("wf did not tell how often it asked the scheduler");
    const shown = Object.entries(commands).map(([name, count]) => `${count} ${name}`);
    process.stderr.write(`  ${shown.join(", ")}\n`);
    return [
      {
        name: "slurm-calls",
        value: Object.values(commands).reduce((sum, count) => sum + count, 0),
        unit: "commands",
        reference: "limit",
        referenceValue: MOST_COMMANDS,
        ratioAtMost: 1,
      },
    ];
  },
};
