// A process of its own that writes a run: `node writer.fixture.mjs FOLDER TASKS`. It starts with the first line of stdin.
import { once } from "node:events";
import { Store } from "../dist/index.js";

const [folder, tasks] = process.argv.slice(2);
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();

const store = Store.open(folder);
const workflow = { name: "shared", file: "shared.ts", hash: "bundle", source: "source" };
const run = store.createRun({ workflow, params: {}, inputs: {}, site: "local", options: {}, plan: {}, git: null });
store.acquireLease(run);
const journal = store.journal(run);
journal.runStarted();
journal.stage({ stage: "s", task: "s", fits: false, resources: {}, position: 0 });
for (let i = 0; i < Number(tasks); i++) {
  const task = `s[${i}]`;
  const hash = i.toString(16).padStart(64, "0");
  journal.taskReady({ task, stage: "s", index: [i], key: hash, parts: [], inputs: [] });
  journal.atomically(() => {
    const outputs = { out: { kind: "file", hash, size: 1, name: "out" } };
    journal.taskEnded({ task, state: "done", outputs });
    journal.remember(hash, { task });
    journal.event("task.done", { task });
  });
  store.ask(run, "drain", task);
  store.takeRequests(run);
}
journal.runFinished({ status: "succeeded", outputs: {}, metrics: {}, error: null });
store.releaseLease(run);
store.close();
process.stdout.write(`${run}\n`);
