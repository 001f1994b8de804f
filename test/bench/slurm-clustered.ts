import type { Benchmark } from "./benchmark.ts";
import { median } from "./median-seconds.ts";
import { benchCluster } from "./slurm/bench-cluster.ts";
import { handWrittenArray, quietQueue } from "./slurm/hand-written.ts";
import { napping, napsOn } from "./slurm/naps.ts";

const TASKS = 1000;
const TASKS_PER_JOB = 32;
const ROUNDS = 3;

export const slurmClustered: Benchmark = {
  name: "slurm-clustered",
  description: `${TASKS} tasks of 0.05 s on SLURM, ${TASKS_PER_JOB} a job, against an array of them by hand`,
  async run() {
    const cluster = await benchCluster();
    const seconds: { wf: number[]; hand: number[] } = { wf: [], hand: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      seconds.hand.push(await handWrittenArray(cluster, TASKS, 0.05));
      const run = await napping(napsOn(cluster), TASKS, 0.05, "--quiet", "--cluster", `${TASKS_PER_JOB}`);
      seconds.wf.push(run.seconds);
      await quietQueue();
    }
    return [
      {
        name: "slurm-clustered",
        value: median(seconds.wf),
        unit: "s",
        reference: "sbatch --array by hand",
        referenceValue: median(seconds.hand),
        ratioAtMost: 0.4,
      },
    ];
  },
};
