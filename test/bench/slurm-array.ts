import type { Benchmark } from "./benchmark.ts";
import { napping } from "./naps/naps.ts";
import { takeTurns } from "./naps/take-turns.ts";
import { benchCluster } from "./slurm/bench-cluster.ts";
import { handWrittenArray, quietQueue } from "./slurm/hand-written.ts";
import { napsOn } from "./slurm/naps-on.ts";

const TASKS = 500;

export const slurmArray: Benchmark = {
  name: "slurm-array",
  description: `${TASKS} tasks of a second on a SLURM cluster of 32 cpus, against an array of \`sleep 1\` by hand`,
  async run() {
    const cluster = await benchCluster();
    const { hand, wf } = await takeTurns({
      byHand: () => handWrittenArray(cluster, TASKS, 1),
      async byWf() {
        const { seconds } = await napping(napsOn(cluster), TASKS, 1, "--quiet");
        await quietQueue();
        return seconds;
      },
    });
    return [
      {
        name: "slurm-array",
        value: wf,
        unit: "s",
        reference: "sbatch --array by hand",
        referenceValue: hand,
        ratioAtMost: 1.35,
      },
    ];
  },
};
