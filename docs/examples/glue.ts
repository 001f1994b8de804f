import { file, fn, json, many, task, workflow, z } from "wf";

const measure = task({
  name: "measure",
  outputs: { size: json(z.number()) },
  params: z.object({ of: z.string() }),
  command: ({ params, outputs }) => ["sh", "-c", 'printf %s "$1" | wc -c > "$2"', "sh", params.of, outputs.size],
});

const table = fn({
  name: "table",
  inputs: { sizes: many(json(z.number())) },
  outputs: { largest: json(z.number()), table: file("csv") },
  params: z.object({ unit: z.string().default("bytes") }),
  run: ({ inputs, params }) => ({
    largest: Math.max(...inputs.sizes),
    table: ["n,size,unit", ...inputs.sizes.map((size, n) => `${n},${size},${params.unit}`)].join("\n"),
  }),
});

export default workflow({
  name: "glue",
  build() {
    const sizes = ["a", "bb", "ccc"].map((of, n) => measure({}, { of }, { as: `measure-${n}` }).size);
    const { largest, table: csv } = table({ sizes });
    return { largest, csv };
  },
});
