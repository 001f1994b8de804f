import type { Benchmark } from "./benchmark.ts";
import { napping } from "./naps/naps.ts";
import { takeTurns } from "./naps/take-turns.ts";
import { benchCluster } from "./slurm/bench-cluster.ts";
import { handWrittenArray, quietQueue } from "./slurm/hand-written.ts";
import { napsOn } from "./slurm/naps-on.ts";

const TASKS = 1000;
const TASKS_PER_JOB = 32;

export const slurmClustered: Benchmark = {
  name: "slurm-clustered",
  description: `${TASKS} tasks of 0.05 s on SLURM, ${TASKS_PER_JOB} a job, against an array of them by hand`,
  async run() {
    const cluster = await benchCluster();
    const { hand, wf } = await takeTurns({
      byHand: () => handWrittenArray(cluster, TASKS, 0.05),
      async byWf() {
        const { seconds } = await napping(napsOn(cluster), TASKS, 0.05, "--quiet", "--cluster", `${TASKS_PER_JOB}`);
        await quietQueue();
        return seconds;
      },
    });
    return [
      {
        name: "slurm-clustered",
        value: wf,
        unit: "s",
        reference: "sbatch --array by hand",
        referenceValue: hand,
        ratioAtMost: 0.4,
      },
    ];
  },
};
