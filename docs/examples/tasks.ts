import { directory, file, json, optional, secret, task, workflow, z } from "wf";

const sort = task({
  name: "sort",
  inputs: { text: file("txt") },
  outputs: { sorted: file("txt") },
  params: z.object({ column: z.number().int().min(1).default(1), options: z.array(z.string()).default([]) }),
  command: ({ inputs, outputs, params }) => [
    "sort",
    `--key=${params.column}`,
    params.options,
    inputs.text,
    "-o",
    outputs.sorted,
  ],
});

const summarise = task({
  name: "summarise",
  inputs: { text: file("txt"), notes: optional(file("md")) },
  outputs: {
    summary: json(z.object({ lines: z.number(), longest: z.number() })),
    plots: directory(),
    warnings: optional(file("txt")),
  },
  code: { script: "./summarise.awk" },
  command: ({ code, inputs, outputs }) => [
    "awk",
    "-v",
    `summary=${outputs.summary}`,
    "-v",
    `plots=${outputs.plots}`,
    "-f",
    code.script,
    inputs.text,
  ],
  metrics: ["lines"],
  resources: { cpus: 2, memory: "500MB", time: "10m" },
  env: { LC_ALL: "C", TOKEN: secret("EXAMPLE_TOKEN") },
  retries: 2,
  version: 3,
});

const download = task({
  name: "download",
  outputs: { page: file("txt", { path: "index.txt" }) },
  command: () => ["sh", "-c", "date > index.txt"],
  cache: "never",
});

export default workflow({
  name: "tasks",
  inputs: { text: file("txt", { path: "data/words.txt" }) },
  build({ inputs }) {
    const { sorted } = sort({ text: inputs.text }, { column: 2 });
    const backwards = sort({ text: inputs.text }, { options: ["--reverse", "--unique"] }, { as: "sort-backwards" });
    const summary = summarise({ text: sorted });
    return {
      sorted: backwards.sorted,
      summary: summary.summary,
      plots: summary.plots,
      lines: summary.metrics.lines,
      page: download({}).page,
    };
  },
});
