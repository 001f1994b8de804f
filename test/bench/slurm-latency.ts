import type { Benchmark } from "./benchmark.ts";
import { median } from "./median-seconds.ts";
import { lateness } from "./naps/lateness.ts";
import { napping } from "./naps/naps.ts";
import { benchCluster } from "./slurm/bench-cluster.ts";
import { quietQueue } from "./slurm/hand-written.ts";
import { napsOn } from "./slurm/naps-on.ts";

const TASKS = 200;

export const slurmLatency: Benchmark = {
  name: "slurm-latency",
  description: `from the end of a task's command until wf tells of it, the median of ${TASKS}`,
  async run() {
    const cluster = await benchCluster();
    const { stdout } = await napping(napsOn(cluster), TASKS, 1, "--json");
    await quietQueue();
    const late = lateness(stdout, TASKS);
    return [
      { name: "slurm-latency", value: median(late), unit: "s", reference: "limit", referenceValue: 1, ratioAtMost: 1 },
    ];
  },
};
