import type { TaskRecord } from "@wf/core";
import type { Benchmark } from "./benchmark.ts";
import { median } from "./median-seconds.ts";
import { benchCluster } from "./slurm/bench-cluster.ts";
import { quietQueue } from "./slurm/hand-written.ts";
import { napping, napsOn } from "./slurm/naps.ts";
import { toldIn } from "./slurm/told.ts";

const TASKS = 200;

export const slurmLatency: Benchmark = {
  name: "slurm-latency",
  description: `from the end of a task's command until wf tells of it, the median of ${TASKS}`,
  async run() {
    const cluster = await benchCluster();
    const { stdout } = await napping(napsOn(cluster), TASKS, 1, "--json");
    await quietQueue();
    const late = toldIn(stdout)
      .filter(({ type }) => type === "attempt.finished")
      .map(({ time, record }) => time - (record as TaskRecord).endedAt);
    if (late.length !== TASKS) throw new Error(`wf told of ${late.length} ends instead of ${TASKS}`);
    return [
      { name: "slurm-latency", value: median(late), unit: "s", reference: "limit", referenceValue: 1, ratioAtMost: 1 },
    ];
  },
};
