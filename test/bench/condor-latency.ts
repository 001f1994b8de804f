import type { Benchmark, Result } from "./benchmark.ts";
import { benchPool } from "./condor/bench-pool.ts";
import { quietPool } from "./condor/hand-written.ts";
import { napsOn, sentNapsOn } from "./condor/naps-on.ts";
import type { BenchProject } from "./measured-run.ts";
import { median } from "./median-seconds.ts";
import { lateness } from "./naps/lateness.ts";
import { napping } from "./naps/naps.ts";

const TASKS = 100;

export const condorLatency: Benchmark = {
  name: "condor-latency",
  description: `from the end of a task's command on a pool until wf tells of it, the median of ${TASKS}`,
  async run() {
    const pool = await benchPool();
    return [await late("condor-latency", napsOn(pool), 1), await late("condor-latency-sent", sentNapsOn(pool), 3)];
  },
};

async function late(name: string, project: BenchProject, limitSeconds: number): Promise<Result> {
  const { stdout } = await napping(project, TASKS, 1, "--json");
  await quietPool();
  const value = median(lateness(stdout, TASKS));
  return { name, value, unit: "s", reference: "limit", referenceValue: limitSeconds, ratioAtMost: 1 };
}
