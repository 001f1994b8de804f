import { createHash } from "node:crypto";
import { blockName } from "./workflow-file.ts";
import type { Block, Shape } from "./workflow-shape.ts";

export interface Expected {
  /** SHA-256 of each file that the run puts out, by its path. */
  readonly outputs: ReadonlyMap<string, string>;
  /** What tasks call themselves in the ledger. */
  readonly tasks: readonly string[];
}

/** What an undisturbed run makes, computed here. */
export function expectedOf({ blocks }: Shape): Expected {
  const outputs = new Map<string, string>();
  const tasks: string[] = [];
  const texts: string[] = [];
  const make = (task: string, ...read: readonly string[]): string => {
    tasks.push(task);
    return `${sha256(`${task}\n${read.join("")}`)}  -\n`;
  };
  const chain = (name: string, item: number, { depth }: Block, read: readonly string[]): string => {
    let text = make(`${name}.${item}.0`, ...read);
    for (let level = 1; level < depth; level++) text = make(`${name}.${item}.${level}`, text);
    return text;
  };
  for (const [place, block] of blocks.entries()) {
    const name = blockName(place);
    const read = block.from.map((from) => texts[from] as string);
    const items = Array.from({ length: block.width }, (_, i) => i + 1);
    let text: string;
    if (block.kind === "chain") text = chain(name, 0, block, read);
    else if (block.kind === "loop") {
      text = make(`${name}.0`, ...read);
      for (let round = 1; round < block.width; round++) text = make(`${name}.${round}`, text, ...read);
      outputs.set(`${name}score.json`, sha256(String(block.width - 1)));
    } else {
      if (block.kind === "growth") {
        tasks.push(`${name}.list`);
        outputs.set(`${name}list.json`, sha256(`[${items.join(",")}]`));
      }
      const made = items.map((item) => chain(name, item, block, read));
      text = make(`${name}.all`, ...made);
    }
    texts.push(text);
    outputs.set(`${name}.txt`, sha256(text));
  }
  return { outputs, tasks };
}

export function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
