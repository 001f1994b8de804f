import { file, json, python, task, workflow, z } from "wf";

const count = task({
  name: "count",
  runtime: python("./histogram"),
  inputs: { text: file("txt") },
  outputs: { lengths: json(z.record(z.string(), z.number())) },
  command: ({ inputs, outputs }) => ["python3", "-m", "histogram.count", inputs.text, outputs.lengths],
});

export default workflow({
  name: "runtime",
  inputs: { text: file("txt", { path: "data/words.txt" }) },
  build: ({ inputs }) => ({ lengths: count({ text: inputs.text }).lengths }),
});
