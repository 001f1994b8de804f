import type { Benchmark } from "./benchmark.ts";
import { makeProject } from "./measured-run.ts";

const TASKS = 1_000_000;
const TENTH = TASKS / 10;
const LIMIT_SECONDS = 10;
const LIMIT_BYTES = 1.5e9;

/** Half of the tasks depend on the other half, one by one; all of them meet in one fan-in. */
const WIDE = `
import { each, file, many, task, workflow, z } from "wf";

const prepare = task({
  name: "prepare",
  params: z.object({ i: z.number() }),
  outputs: { text: file("txt") },
  command: ({ outputs, params }) => ["sh", "-c", 'echo "$1" > "$2"', "prepare", params.i, outputs.text],
});
const refine = task({
  name: "refine",
  inputs: { text: file("txt") },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["cp", inputs.text, outputs.text],
});
const gather = task({
  name: "gather",
  inputs: { texts: many(file("txt")) },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'cat "$@" > "$0"', outputs.text, inputs.texts],
});

export default workflow({
  name: "wide",
  params: z.object({ n: z.number() }),
  build({ params }) {
    const items = Array.from({ length: params.n / 2 }, (_, i) => i);
    const refined = each(items).map((i) => refine({ text: prepare({}, { i }).text }));
    return { text: gather({ texts: refined.text }).text };
  },
});
`;

export const plan: Benchmark = {
  name: "plan",
  description: `a plan of ${TENTH.toLocaleString("en")} and of ${TASKS.toLocaleString("en")} tasks, in a store that has results, written to a file`,
  async run() {
    const project = makeProject(WIDE);
    await project.wf("run", "--quiet", "-p", "n=20");
    const tenth = await project.wf("plan", "-p", `n=${TENTH}`, "--save", "tenth.jsonl");
    const all = await project.wf("plan", "-p", `n=${TASKS}`, "--save", "all.jsonl");
    return [
      {
        name: "plan",
        value: all.seconds,
        unit: "s",
        reference: "limit",
        referenceValue: LIMIT_SECONDS,
        ratioAtMost: 1,
      },
      {
        name: "plan-memory",
        value: all.peakMemoryBytes,
        unit: "B",
        reference: "limit",
        referenceValue: LIMIT_BYTES,
        ratioAtMost: 1,
      },
      {
        name: "plan-linear",
        value: all.seconds,
        unit: "s",
        reference: `ten times ${TENTH.toLocaleString("en")} tasks`,
        referenceValue: 10 * tenth.seconds,
        ratioAtMost: 1.2,
      },
    ];
  },
};
