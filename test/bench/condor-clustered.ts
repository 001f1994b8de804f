import type { Benchmark } from "./benchmark.ts";
import { benchPool } from "./condor/bench-pool.ts";
import { handWrittenCluster, quietPool } from "./condor/hand-written.ts";
import { napsOn } from "./condor/naps-on.ts";
import { napping } from "./naps/naps.ts";
import { takeTurns } from "./naps/take-turns.ts";

const TASKS = 1000;
const TASKS_PER_JOB = 64;

export const condorClustered: Benchmark = {
  name: "condor-clustered",
  description: `${TASKS} tasks of 0.05 s on HTCondor, ${TASKS_PER_JOB} a job, against a cluster of them by hand`,
  async run() {
    const pool = await benchPool();
    const { hand, wf } = await takeTurns({
      byHand: () => handWrittenCluster(pool, TASKS, 0.05),
      async byWf() {
        const { seconds } = await napping(napsOn(pool), TASKS, 0.05, "--quiet", "--cluster", `${TASKS_PER_JOB}`);
        await quietPool();
        return seconds;
      },
    });
    return [
      {
        name: "condor-clustered",
        value: wf,
        unit: "s",
        reference: `queue ${TASKS} by hand`,
        referenceValue: hand,
        ratioAtMost: 0.3,
      },
    ];
  },
};
