/**
 * A first workflow: cut a text into parts, count the words of each part, and write a report.
 *
 *   wf run workflow.ts --outputs results
 */
import { directory, file, fn, json, many, task, workflow, z } from "wf";

// A task is a command with named, typed inputs and outputs. The command is a list of arguments, not a shell line.
const split = task({
  name: "split",
  inputs: { text: file("txt") },
  outputs: { parts: directory() },
  command: ({ inputs, outputs }) => [
    "awk",
    "-v",
    `folder=${outputs.parts}`,
    'BEGIN { RS = "" } { name = sprintf("%s/part-%03d.txt", folder, NR); print > name; close(name) }',
    inputs.text,
  ],
});

// Parameters have a schema; a wrong one is refused before anything runs.
const count = task({
  name: "count",
  inputs: { part: file("txt") },
  outputs: { words: json(z.number()) },
  params: z.object({ longerThan: z.number().int().min(0) }),
  command: ({ inputs, outputs, params }) => [
    "awk",
    "-v",
    `least=${params.longerThan}`,
    "-v",
    `out=${outputs.words}`,
    "{ for (i = 1; i <= NF; i++) if (length($i) > least) n++ } END { print n + 0 > out }",
    inputs.part,
  ],
});

// Small glue is plain TypeScript.
const report = fn({
  name: "report",
  inputs: { words: many(json(z.number())) },
  outputs: { report: file("md") },
  run: ({ inputs }) => {
    const lines = inputs.words.map((words, i) => `- part ${i + 1}: ${words} words`);
    const total = inputs.words.reduce((sum, words) => sum + words, 0);
    return { report: `# Words\n\n${lines.join("\n")}\n\nTogether: ${total}\n` };
  },
});

export default workflow({
  name: "first",
  params: z.object({ longerThan: z.number().int().min(0).default(0) }),
  inputs: { text: file("txt", { path: "data/poem.txt" }) },
  build({ inputs, params }) {
    const { parts } = split({ text: inputs.text });
    // How many parts there are is known when `split` has run. Each of them becomes a task of its own.
    const counted = parts.files("*.txt").map((part) => count({ part }, { longerThan: params.longerThan }));
    return { report: report({ words: counted.words }).report };
  },
});
