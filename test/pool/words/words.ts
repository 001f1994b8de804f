/** Several stages: a fan-out that is known when a task has run, a secret, a module of Python, a dataset, and glue. */
import { dataset, directory, file, fn, json, many, python, secret, task, workflow, z } from "wf";

const split = task({
  name: "split",
  inputs: { text: file("txt") },
  outputs: { parts: directory() },
  command: ({ inputs, outputs }) => ["split", "-l", 2, inputs.text, `${outputs.parts}/part-`],
});

/** Says what it was given without telling it. */
const upper = task({
  name: "upper",
  inputs: { part: file() },
  outputs: { text: file("txt") },
  env: { TOKEN: secret("WORDS_TOKEN") },
  command: ({ inputs, outputs }) => [
    "sh",
    "-c",
    'echo working >&2; (tr a-z A-Z < "$1"; printf %s "$TOKEN" | sha256sum) > "$2"',
    "sh",
    inputs.part,
    outputs.text,
  ],
});

const letters = task({
  name: "letters",
  runtime: python("./letters"),
  inputs: { texts: many(file("txt")) },
  outputs: { rows: dataset({ text: file("txt"), letters: json(z.number()) }), most: json(z.number()) },
  metrics: ["rows"],
  command: ({ inputs, outputs }) => ["python", "-m", "table", outputs.rows, outputs.most, inputs.texts],
});

const list = fn({
  name: "list",
  inputs: { texts: many(file("txt")), most: json(z.number()) },
  outputs: { list: file("md") },
  run: async ({ inputs }) => {
    const { readFile } = await import("node:fs/promises");
    const texts = await Promise.all(inputs.texts.map((path) => readFile(path, "utf8")));
    return { list: `${texts.map((text) => `- ${text.trim()}`).join("\n")}\n${inputs.most}\n` };
  },
});

export default workflow({
  name: "words",
  inputs: { text: file("txt", { path: "it's a text.txt" }) },
  build({ inputs }) {
    const texts = split({ text: inputs.text })
      .parts.files("*")
      .map((part) => upper({ part })).text;
    const { rows, most } = letters({ texts });
    return { rows, list: list({ texts, most }).list, parts: texts };
  },
});
