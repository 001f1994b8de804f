import type { Benchmark } from "./benchmark.ts";
import { median } from "./median-seconds.ts";
import { benchCluster } from "./slurm/bench-cluster.ts";
import { handWrittenArray, quietQueue } from "./slurm/hand-written.ts";
import { napping, napsOn } from "./slurm/naps.ts";

const TASKS = 500;
const ROUNDS = 3;

export const slurmArray: Benchmark = {
  name: "slurm-array",
  description: `${TASKS} tasks of a second on a SLURM cluster of 32 cpus, against an array of \`sleep 1\` by hand`,
  async run() {
    const cluster = await benchCluster();
    const seconds: { wf: number[]; hand: number[] } = { wf: [], hand: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      seconds.hand.push(await handWrittenArray(cluster, TASKS, 1));
      seconds.wf.push((await napping(napsOn(cluster), TASKS, 1, "--quiet")).seconds);
      await quietQueue();
    }
    return [
      {
        name: "slurm-array",
        value: median(seconds.wf),
        unit: "s",
        reference: "sbatch --array by hand",
        referenceValue: median(seconds.hand),
        ratioAtMost: 1.35,
      },
    ];
  },
};
