import { file, json, task, workflow, z } from "wf";
import glue from "./glue.ts";

const write = task({
  name: "write",
  outputs: { text: file("txt") },
  params: z.object({ number: z.number() }),
  command: ({ params, outputs }) => ["sh", "-c", 'echo "$1" > "$2"', "sh", params.number, outputs.text],
});

/** A part with inputs and parameters of its own; a file that exports it as its default can be run alone. */
const twice = workflow({
  name: "twice",
  inputs: { number: json(z.number()) },
  params: z.object({ names: z.tuple([z.string(), z.string()]).default(["one", "two"]) }),
  build: ({ inputs, params }) => ({
    first: write({}, { number: inputs.number }, { as: params.names[0] }).text,
    second: write({}, { number: inputs.number }, { as: params.names[1] }).text,
  }),
});

export default workflow({
  name: "whole",
  build() {
    const { largest } = glue({});
    const written = twice({ number: largest }, { names: ["left", "right"] });
    return { largest, ...written };
  },
});
