import type { Benchmark } from "./benchmark.ts";
import { INDEPENDENT_TASKS } from "./independent-tasks.ts";
import { makeProject } from "./measured-run.ts";

const TASKS = 10_000;
const LIMIT_SECONDS = 2;

export const cached: Benchmark = {
  name: "cached",
  description: `${TASKS} tasks again, all of them known`,
  async run() {
    const project = makeProject(INDEPENDENT_TASKS);
    await project.wf("run", "--quiet", "-p", `n=${TASKS}`);
    const { seconds } = await project.wf("run", "--quiet", "-p", `n=${TASKS}`);
    return [
      {
        name: "cached",
        value: seconds,
        unit: "s",
        reference: "limit",
        referenceValue: LIMIT_SECONDS,
        ratioAtMost: 1,
      },
    ];
  },
};
