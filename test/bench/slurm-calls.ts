import type { Benchmark } from "./benchmark.ts";
import { commandsOfRun } from "./naps/commands-of-run.ts";
import { napping } from "./naps/naps.ts";
import { benchCluster } from "./slurm/bench-cluster.ts";
import { quietQueue } from "./slurm/hand-written.ts";
import { napsOn } from "./slurm/naps-on.ts";

const TASKS = 1000;
const MOST_COMMANDS = 20;

export const slurmCalls: Benchmark = {
  name: "slurm-calls",
  description: `commands of the scheduler for ${TASKS} tasks of half a second as arrays`,
  async run() {
    const cluster = await benchCluster();
    const { stdout } = await napping(napsOn(cluster), TASKS, 0.5, "--json");
    await quietQueue();
    return [
      {
        name: "slurm-calls",
        value: commandsOfRun(stdout),
        unit: "commands",
        reference: "limit",
        referenceValue: MOST_COMMANDS,
        ratioAtMost: 1,
      },
    ];
  },
};
