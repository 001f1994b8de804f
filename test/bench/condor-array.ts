import type { Benchmark } from "./benchmark.ts";
import { benchPool } from "./condor/bench-pool.ts";
import { handWrittenCluster, quietPool } from "./condor/hand-written.ts";
import { napsOn } from "./condor/naps-on.ts";
import { napping } from "./naps/naps.ts";
import { takeTurns } from "./naps/take-turns.ts";

const TASKS = 500;

export const condorArray: Benchmark = {
  name: "condor-array",
  description: `${TASKS} tasks of a second on an HTCondor pool of 8 cpus, against a cluster of \`sleep 1\` by hand`,
  async run() {
    const pool = await benchPool();
    const { hand, wf } = await takeTurns({
      byHand: () => handWrittenCluster(pool, TASKS, 1),
      async byWf() {
        const { seconds } = await napping(napsOn(pool), TASKS, 1, "--quiet");
        await quietPool();
        return seconds;
      },
    });
    return [
      {
        name: "condor-array",
        value: wf,
        unit: "s",
        reference: `queue ${TASKS} by hand`,
        referenceValue: hand,
        ratioAtMost: 1.15,
      },
    ];
  },
};
