import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@wf/testing";
import { expect, onTestFinished, test } from "vitest";
import { testFolder, testStore } from "./facts.fixture.ts";

const TASKS = 200;
const writer = fileURLToPath(new URL("./writer.fixture.mjs", import.meta.url));

async function startWriter(folder: string, tasks: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [writer, folder, String(tasks)], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

async function finish(child: ChildProcess): Promise<string> {
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  return output.trim();
}

test("processes that open a new store at the same moment all write their runs into it", async () => {
  const folder = join(testFolder(), "store");
  const writers = await Promise.all([1, 2, 3].map(() => startWriter(folder, TASKS)));
  for (const { stdin } of writers) stdin?.end("go\n");
  const runs = await Promise.all(writers.map(finish));

  const store = testStore({}, folder);
  expect(store.check()).toEqual([]);
  expect(store.runs().map(({ number }) => number)).toEqual([3, 2, 1]);
  expect(
    store
      .runs()
      .map(({ run }) => run)
      .sort(),
  ).toEqual([...runs].sort());
  for (const run of runs) {
    expect(store.run(run)).toMatchObject({ status: "succeeded", tasks: { done: TASKS, ready: 0 } });
    expect(store.events(run).map(({ seq }) => seq)).toEqual(Array.from({ length: TASKS }, (_, i) => i + 1));
    expect(store.lease(run)).toBeUndefined();
  }
  expect(store.query("SELECT count(*) FROM artifacts").rows).toEqual([[TASKS]]);
  expect(store.query("SELECT count(*) FROM cache").rows).toEqual([[TASKS]]);
  expect(store.query("SELECT count(*) FROM workflows").rows).toEqual([[1]]);
});

test("a run that was killed mid-way keeps what it said, and its lease is free", async () => {
  const folder = testFolder();
  const store = testStore({}, folder);
  const child = await startWriter(folder, Number.MAX_SAFE_INTEGER);
  child.stdin?.end("go\n");
  await until("ten tasks that are done", () => (store.runs()[0]?.tasks.done ?? 0) >= 10);
  const run = store.findRun("last");
  expect(() => store.acquireLease(run)).toThrow(expect.objectContaining({ code: "WF_RUN_OWNED" }));
  child.kill("SIGKILL");
  await once(child, "close");

  const { tasks } = store.run(run);
  expect(store.events(run)).toHaveLength(tasks.done);
  expect(store.query("SELECT count(*) FROM cache").rows).toEqual([[tasks.done]]);
  expect(tasks.ready).toBeLessThanOrEqual(1);
  expect(store.lease(run)).toMatchObject({ pid: child.pid, alive: false });
  store.acquireLease(run);
  expect(store.check()).toEqual([]);
});
