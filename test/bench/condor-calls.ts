import type { Benchmark } from "./benchmark.ts";
import { benchPool } from "./condor/bench-pool.ts";
import { quietPool } from "./condor/hand-written.ts";
import { napsOn } from "./condor/naps-on.ts";
import { commandsOfRun } from "./naps/commands-of-run.ts";
import { napping } from "./naps/naps.ts";

const TASKS = 1000;
/** A submission, what the history says of jobs every half minute, and room for questions where the log is in doubt. */
const MOST_COMMANDS = 20;

export const condorCalls: Benchmark = {
  name: "condor-calls",
  description: `commands of HTCondor for ${TASKS} tasks of a tenth of a second`,
  async run() {
    const { stdout } = await napping(napsOn(await benchPool()), TASKS, 0.1, "--json");
    await quietPool();
    return [
      {
        name: "condor-calls",
        value: commandsOfRun(stdout),
        unit: "commands",
        reference: "limit",
        referenceValue: MOST_COMMANDS,
        ratioAtMost: 1,
      },
    ];
  },
};
