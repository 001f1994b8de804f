import type { Benchmark } from "./benchmark.ts";
import { makeProject } from "./measured-run.ts";
import { measureReferenceRate } from "./reference-rate.ts";

const HOPS = 1000;
const SECONDS_ABOVE_REFERENCE = 0.005;

const CHAIN = `
import { file, task, workflow, z } from "wf";

const first = task({ name: "first", outputs: { text: file("txt") }, command: ({ outputs }) => ["touch", outputs.text] });
const hop = task({
  name: "hop",
  inputs: { text: file("txt") },
  params: z.object({ i: z.number() }),
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["cp", inputs.text, outputs.text],
});

export default workflow({
  name: "chain",
  params: z.object({ n: z.number() }),
  build({ params }) {
    let { text } = first({});
    for (let i = 1; i < params.n; i++) text = hop({ text }, { i }).text;
    return { text };
  },
});
`;

export const chain: Benchmark = {
  name: "chain",
  description: `${HOPS} tasks in a chain, each copying a file: seconds a hop, start of the program included, above starting \`true\``,
  async run() {
    const project = makeProject(CHAIN);
    const reference = await measureReferenceRate(HOPS, 1, "true");
    const { seconds } = await project.wf("run", "--quiet", "--no-cache", "-p", `n=${HOPS}`);
    return [
      {
        name: "chain",
        value: seconds / HOPS - 1 / reference,
        unit: "s",
        reference: "limit a hop",
        referenceValue: SECONDS_ABOVE_REFERENCE,
        ratioAtMost: 1,
      },
    ];
  },
};
