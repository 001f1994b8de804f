/** Several stages, a fan-out over files that are known, and results put together in many ways. */
import { dataset, datasetOf, directory, file, json, many, optional, task, workflow, z } from "wf";

const code = { script: "numbers.py" };
const Facts = z.object({ sum: z.number(), name: z.string() });

const double = task({
  name: "double",
  code,
  inputs: { text: file("txt") },
  outputs: { doubled: file("txt"), facts: json(Facts), sum: json(z.number()), odd: optional(file("txt")) },
  metrics: ["lines"],
  retries: 1,
  resources: { memory: "100MB" },
  command: ({ inputs, outputs, code }) => [
    "python3",
    code.script,
    "double",
    inputs.text,
    outputs.doubled,
    outputs.facts,
    outputs.sum,
    outputs.odd,
  ],
});

const group = task({
  name: "group",
  code,
  inputs: { text: file("txt") },
  outputs: { rows: dataset({ text: file("txt"), value: json(z.number()) }) },
  command: ({ inputs, outputs, code }) => ["python3", code.script, "group", inputs.text, outputs.rows],
});

const total = task({
  name: "total",
  code,
  inputs: {
    texts: many(file("txt")),
    odd: many(file("txt")),
    rows: dataset({ text: file("txt"), value: json(z.number()) }),
    table: dataset({ text: file("txt"), sum: json(z.number()) }),
    facts: many(json(Facts)),
  },
  params: z.object({ lines: z.number(), sum: z.number(), name: z.string() }),
  outputs: { all: file("txt"), report: json(z.record(z.string(), z.unknown())) },
  metrics: ["rows"],
  command: ({ inputs, outputs, params, code }) => [
    "python3",
    code.script,
    "total",
    outputs.all,
    outputs.report,
    `--lines=${params.lines}`,
    params.sum,
    params.name,
    inputs.rows,
    inputs.table,
    inputs.texts,
    inputs.odd,
  ],
});

export default workflow({
  name: "numbers",
  inputs: { texts: directory(), first: file("txt") },
  build({ inputs }) {
    const doubled = inputs.texts.files("*.txt").map((text) => double({ text }));
    const again = doubled.doubled.map((text) => double({ text }, {}, { as: "again" }));
    const one = double({ text: inputs.first }, {}, { as: "one" });
    const rows = doubled.doubled.map((text) => group({ text }).rows).merge();
    const all = total(
      {
        texts: again.doubled,
        odd: doubled.odd.present(),
        rows,
        table: datasetOf({ text: again.doubled, sum: again.sum }),
        facts: doubled.facts,
      },
      { lines: one.metrics.lines, sum: one.facts.fields.sum, name: one.facts.fields.name },
    );
    return { all: all.all, report: all.report, doubled: doubled.doubled, rows, seen: all.metrics.rows };
  },
});
