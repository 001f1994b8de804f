import type { Block, Shape } from "./workflow-shape.ts";

/**
 * Every task says in the ledger that it starts and that it is about to end, and makes a hash of its name and of what it
 * reads. The oracle computes the same.
 */
const TASKS = (retries: number) => `
import { atLeast, each, file, json, many, nothing, optional, repeat, task, workflow, z } from "wf";

const begin = 'n=$1 l=$2 o=$4; echo "start $WF_RUN $WF_ATTEMPT $n" >> "$l"; sleep "$3"; shift 4; ';
const end = '; echo "end $WF_RUN $WF_ATTEMPT $n" >> "$l"';
const hash = '{ echo "$n"; cat "$@" /dev/null; } | sha256sum > "$o"';
const sh = (script: string, ...words: any[]) => ["sh", "-ec", begin + script + end, "sh", ...words];
const common = { ledger: z.string(), pause: z.string(), block: z.string() };
const retries = ${retries};

const step = task({
  name: "step",
  inputs: { before: optional(file("txt")), one: optional(file("txt")), two: optional(file("txt")) },
  params: z.object({ ...common, item: z.number(), level: z.number() }),
  outputs: { text: file("txt") },
  retries,
  command: ({ params, inputs, outputs }) =>
    sh(hash, \`\${params.block}.\${params.item}.\${params.level}\`, params.ledger, params.pause, outputs.text, inputs.before, inputs.one, inputs.two),
});
const list = task({
  name: "list",
  inputs: { one: optional(file("txt")), two: optional(file("txt")) },
  params: z.object({ ...common, width: z.number() }),
  outputs: { items: json(z.array(z.number())) },
  retries,
  command: ({ params, inputs, outputs }) =>
    sh('w=$1; echo "[$(seq -s, 1 "$w")]" > "$o"', \`\${params.block}.list\`, params.ledger, params.pause, outputs.items, params.width, inputs.one, inputs.two),
});
const gather = task({
  name: "gather",
  inputs: { all: many(file("txt")) },
  params: z.object(common),
  outputs: { text: file("txt") },
  retries,
  command: ({ params, inputs, outputs }) => sh(hash, \`\${params.block}.all\`, params.ledger, params.pause, outputs.text, inputs.all),
});
const improve = task({
  name: "improve",
  inputs: { before: optional(file("txt")), one: optional(file("txt")), two: optional(file("txt")) },
  params: z.object({ ...common, round: z.number() }),
  outputs: { text: file("txt") },
  metrics: ["score"],
  retries,
  command: ({ params, inputs, outputs }) =>
    sh('r=$1; shift; echo "{\\\\"score\\\\": $r}" >> "$WF_METRICS"; ' + hash, \`\${params.block}.\${params.round}\`, params.ledger, params.pause, outputs.text, params.round, inputs.before, inputs.one, inputs.two),
});
`;

/** The name of a block in outputs and in the ledger. */
export function blockName(place: number): string {
  return `b${place}`;
}

/** `lane` reaches no task: runs of several lanes have the same keys. */
export function workflowFile({ blocks, retries }: Shape): string {
  const lines = blocks.map((block, place) => blockLines(block, place));
  const outputs = blocks.flatMap((block, place) => {
    const name = blockName(place);
    const text = `${name}: ${name}.text`;
    if (block.kind === "growth") return [text, `${name}list: ${name}list.items`];
    return block.kind === "loop" ? [text, `${name}score: ${name}.score`] : [text];
  });
  return `${TASKS(retries)}
export default workflow({
  name: "torture",
  params: z.object({ ledger: z.string(), lane: z.string(), pause: z.string() }),
  build({ params: { ledger, pause } }) {
${lines.join("\n")}
    return { ${outputs.join(", ")} };
  },
});
`;
}

function blockLines(block: Block, place: number): string {
  const name = blockName(place);
  const common = `ledger, pause, block: "${name}"`;
  const read = block.from.map((from, i) => `${["one", "two"][i]}: ${blockName(from)}.text`);
  const inputs = (...more: string[]) => `{ ${[...more, ...read].join(", ")} }`;
  const chain = (item: string, indent: string) => {
    const steps = Array.from({ length: block.depth }, (_, level) => {
      const reads = level === 0 ? inputs() : `{ before: s${level - 1}.text }`;
      return `${indent}const s${level} = step(${reads}, { ${common}, item: ${item}, level: ${level} }, { as: "${name}-step-${level}" });`;
    });
    return `${steps.join("\n")}\n${indent}return { text: s${block.depth - 1}.text };`;
  };
  const gathered = (items: string) =>
    `    const ${name} = gather({ all: ${items}.map((item) => {\n${chain("item", "      ")}\n    }).text }, { ${common} }, { as: "${name}-all" });`;
  switch (block.kind) {
    case "chain":
      return `    const ${name} = (() => {\n${chain("0", "      ")}\n    })();`;
    case "fan":
      return gathered(`each([${Array.from({ length: block.width }, (_, i) => i + 1).join(", ")}])`);
    case "growth":
      return `    const ${name}list = list(${inputs()}, { ${common}, width: ${block.width} }, { as: "${name}-list" });
${gathered(`${name}list.items.items()`)}`;
    case "loop":
      return `    const ${name} = repeat({ text: nothing(file("txt")) }, ({ text }, round) => {
      const better = improve(${inputs("before: text")}, { ${common}, round }, { as: "${name}-improve" });
      return { text: better.text, score: better.metrics.score };
    }, { atMost: ${block.width}, until: ({ score }) => atLeast(score, ${block.width - 1}) });`;
  }
}
