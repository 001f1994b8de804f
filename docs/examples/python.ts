import { file, json, python, task, workflow, z } from "wf";

const measure = task({
  name: "measure",
  runtime: python("./measure"),
  inputs: { text: file("txt") },
  outputs: { lengths: json(z.array(z.number())) },
  params: z.object({ least: z.number().default(0) }),
  metrics: ["mean"],
  command: ({ inputs, outputs, params }) => ["python", "-m", "lengths", inputs.text, outputs.lengths, params.least],
});

export default workflow({
  name: "python",
  inputs: { text: file("txt", { path: "data/words.txt" }) },
  build({ inputs }) {
    const measured = measure({ text: inputs.text }, { least: 3 });
    return { lengths: measured.lengths, mean: measured.metrics.mean };
  },
});
