import type { Benchmark } from "./benchmark.ts";
import { INDEPENDENT_TASKS } from "./independent-tasks.ts";
import { makeProject } from "./measured-run.ts";
import { measureReferenceRate } from "./reference-rate.ts";

const TASKS = 10_000;
const FEW_TASKS = 2_000;

export const throughput: Benchmark = {
  name: "throughput",
  description: `${TASKS} tasks that run \`true\`, with sandbox, record and provenance, against a bare loop`,
  async run() {
    const few = await makeProject(INDEPENDENT_TASKS).wf("run", "--quiet", "-p", `n=${FEW_TASKS}`);
    const before = await measureReferenceRate();
    const all = await makeProject(INDEPENDENT_TASKS).wf("run", "--quiet", "-p", `n=${TASKS}`);
    const after = await measureReferenceRate();
    return [
      {
        name: "throughput",
        value: TASKS / all.seconds,
        unit: "tasks/s",
        reference: "posix_spawn + wait4 loop",
        referenceValue: (before + after) / 2,
        ratioAtLeast: 0.45,
      },
      {
        name: "throughput-memory",
        value: all.peakMemoryBytes,
        unit: "B",
        reference: `wf with ${FEW_TASKS} tasks`,
        referenceValue: few.peakMemoryBytes,
        ratioAtMost: 1.5,
      },
    ];
  },
};
