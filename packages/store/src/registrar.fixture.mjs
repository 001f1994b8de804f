// A process of its own that registers models: `node registrar.fixture.mjs FOLDER COUNT`. Every second content is one
// that other processes register too. It starts with the first line of stdin, and prints a version a line.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Store } from "../dist/index.js";

const [folder, count] = process.argv.slice(2);
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();

const store = Store.open(folder);
const workflow = { name: "shared", file: "shared.ts", hash: "bundle", source: "source" };
const run = store.createRun({ workflow, params: {}, inputs: {}, site: "local", options: {}, plan: {}, git: null });
const journal = store.journal(run);
for (let i = 0; i < Number(count); i++) {
  const content = i % 2 === 0 ? `of ${run} alone ${i}` : `of all ${i}`;
  const hash = createHash("sha256").update(content).digest("hex");
  const value = { kind: "file", hash, size: 1, name: "model.pt" };
  const [{ version, isNew }] = journal.registerModels([
    { name: "unet", output: "model", value, splits: [], metrics: {} },
  ]);
  process.stdout.write(`${JSON.stringify({ content, version, isNew })}\n`);
}
store.close();
