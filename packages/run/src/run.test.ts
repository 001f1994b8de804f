import { existsSync, writeFileSync } from "node:fs";
import { until } from "@wf/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openStore } from "./open-store.ts";
import { plan } from "./plan.ts";
import { resume, run } from "./run.ts";
import { TestProject } from "./testing/test-project.ts";

/** A task that waits until a file is there, and one that takes what it has made. */
const FLOW = `
import { file, json, task, workflow, z } from "wf";
const wait = task({
  name: "wait",
  params: z.object({ gate: z.string() }),
  inputs: { words: file("txt") },
  outputs: { text: file("txt") },
  command: ({ inputs, params, outputs }) => [
    "sh", "-c", 'touch "$1.begun"; while [ ! -e "$1" ]; do sleep 0.1; done; cat "$2" > "$3"', "sh", params.gate, inputs.words, outputs.text,
  ],
});
const count = task({
  name: "count",
  inputs: { text: file("txt") },
  outputs: { bytes: json(z.number()) },
  command: ({ inputs, outputs }) => ["sh", "-c", 'wc -c < "$1" > "$2"', "sh", inputs.text, outputs.bytes],
});
export default workflow({
  name: "flow",
  params: z.object({ gate: z.string() }),
  inputs: { words: file("txt") },
  build: ({ params, inputs }) => ({ bytes: count({ text: wait({ words: inputs.words }, params).text }).bytes }),
});
`;

let project: TestProject;
let printed: string[];
beforeEach(() => {
  project = new TestProject({ "flow.ts": FLOW, "words.txt": "seven b" });
  printed = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  project.remove();
  expect(printed).toEqual([]);
});

const gate = () => project.path("gate");
const open = () => writeFileSync(gate(), "");
const options = () => ({ params: { gate: gate() }, inputs: { words: project.path("words.txt") } });
const hasBegun = () => until("the first task has begun", () => existsSync(`${gate()}.begun`));

it("a program runs a workflow, follows it, and reads results and traces", async () => {
  open();
  const going = run(project.path("flow.ts"), options());
  const types: string[] = [];
  for await (const event of going)
    types.push(event.type === "task.ended" ? `${event.task} ${event.state}` : event.type);
  const { run: name, status, outputs } = await going.result;
  expect(status).toBe("succeeded");
  expect(outputs.bytes?.value).toBe(7);
  expect(types[0]).toBe("note");
  expect(types).toEqual(expect.arrayContaining(["run.started", "attempt.started", "wait done", "count done"]));
  expect(types.at(-1)).toBe("run.finished");
  const store = openStore({ project: project.root });
  expect(store.run(name)).toMatchObject({ status: "succeeded" });
  expect(store.trace(name).totals).toMatchObject({ tasks: 2, done: 2 });
  store.close();

  const lines = [];
  for await (const line of plan(project.path("flow.ts"), options())) lines.push(line);
  expect(lines[0]).toMatchObject({ type: "plan", site: "local" });
  expect(lines.at(-1)).toMatchObject({ type: "totals", tasks: 2, reuse: 2, run: 0 });
});

it("an aborted run is cancelled, and can be resumed", async () => {
  const aborter = new AbortController();
  const going = run(project.path("flow.ts"), { ...options(), signal: aborter.signal });
  await hasBegun();
  aborter.abort();
  const { run: name, status } = await going.result;
  expect(status).toBe("cancelled");
  open();
  const again = resume(name, { project: project.root });
  expect(await again.result).toMatchObject({ run: name, status: "succeeded" });
});

it("a drained run is stopped, and what had ended is not made again", async () => {
  const going = run(project.path("flow.ts"), options());
  await hasBegun();
  going.drain();
  open();
  const { run: name, status } = await going.result;
  expect(status).toBe("stopped");
  const again = resume(undefined, { project: project.root });
  const begun: string[] = [];
  for await (const event of again) if (event.type === "attempt.started") begun.push(event.task);
  expect(begun).toEqual(["count"]);
  expect((await again.result).run).toBe(name);
});

it("a run that this process runs already is not run twice", async () => {
  const going = run(project.path("flow.ts"), options());
  await hasBegun();
  await expect(resume("last", { project: project.root }).result).rejects.toMatchObject({ code: "WF_RUN_OWNED" });
  open();
  expect(await going.result).toMatchObject({ status: "succeeded" });
});

it("nothing is started under a signal that is aborted already", async () => {
  const going = run(project.path("flow.ts"), { ...options(), signal: AbortSignal.abort() });
  await expect(going.result).rejects.toThrow(/aborted/);
  expect(existsSync(project.path(".wf/wf.db"))).toBe(false);
});

it("what keeps a run from beginning is thrown where it is followed and where its end is awaited", async () => {
  const going = run(project.path("flow.ts"), { params: { gate: gate() } });
  const follow = async () => {
    for await (const { type } of going) expect(type).toBe("note");
  };
  await expect(follow()).rejects.toMatchObject({ code: "WF_INPUT_MISSING" });
  await expect(going.result).rejects.toMatchObject({ code: "WF_INPUT_MISSING" });
});

it("each follower gets every event from where it begins, and may leave", async () => {
  const going = run(project.path("flow.ts"), options());
  const all: string[] = [];
  const everything = (async () => {
    for await (const { type } of going) all.push(type);
  })();
  for await (const { type } of going) if (type === "run.started") break;
  const late: string[] = [];
  await hasBegun();
  const rest = (async () => {
    for await (const { type } of going) late.push(type);
  })();
  open();
  await Promise.all([everything, rest]);
  expect(all).toContain("run.started");
  expect(late).not.toContain("run.started");
  expect(all.slice(-late.length)).toEqual(late);
});
