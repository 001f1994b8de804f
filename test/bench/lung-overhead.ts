import type { Benchmark } from "./benchmark.ts";
import { openWorkflow } from "./measured-run.ts";

const MOST_OUTSIDE_TASKS = 0.1;

export const lungOverhead: Benchmark = {
  name: "lung-overhead",
  description: "lung-seg with nothing known: seconds in which no task ran, against all",
  async run() {
    const project = openWorkflow("lung-seg.ts");
    const { seconds } = await project.wf("run", "--quiet");
    const attempts = await project.query("SELECT started_at, ended_at FROM attempts WHERE started_at IS NOT NULL");
    const busy = lengthOfUnion(attempts.map((row) => [Number(row.started_at), Number(row.ended_at)]));
    return [
      {
        name: "lung-overhead",
        value: seconds - busy,
        unit: "s",
        reference: "the whole run",
        referenceValue: seconds,
        ratioAtMost: MOST_OUTSIDE_TASKS,
      },
    ];
  },
};

/** How long at least one of the intervals lasted. */
function lengthOfUnion(intervals: readonly (readonly [from: number, to: number])[]): number {
  let length = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [from, to] of intervals.toSorted((a, b) => a[0] - b[0])) {
    length += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return length;
}
