import { readFileSync } from "node:fs";
import { Store } from "@wf/store";
import { until } from "@wf/testing";
import { nobodyToAsk } from "@wf/transport";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareFile } from "../planning/prepare-file.ts";
import { type Behaviour, SimulatedSite } from "../testing/simulated-site.ts";
import { TestProject } from "../testing/test-project.ts";
import { executeRun } from "./execute-run.ts";
import { reopenRun } from "./reopen-run.ts";
import { RunControl } from "./run-control.ts";
import type { RunEvent } from "./run-event.ts";
import { startRun } from "./start-run.ts";
import type { StartedRun } from "./started-run.ts";

/** Two tasks in a row, and a function that reads what the second has made. */
const FLOW = `
import { file, fn, json, task, workflow, z } from "wf";
const first = task({ name: "first", outputs: { text: file("txt") }, command: ({ outputs }) => ["first", outputs.text] });
const second = task({
  name: "second",
  inputs: { text: file("txt") },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["second", inputs.text, outputs.text],
});
const size = fn({
  name: "size",
  inputs: { text: file("txt") },
  outputs: { size: json(z.number()) },
  run: async ({ inputs }) => ({ size: (await import("node:fs")).readFileSync(inputs.text).length }),
});
export default workflow({
  name: "flow",
  build: () => {
    const { text } = second({ text: first({}).text });
    return { text, size: size({ text }).size };
  },
});
`;

let project: TestProject;
beforeEach(() => {
  project = new TestProject({ "flow.ts": FLOW });
});
afterEach(() => project.remove());

const quiet = () => undefined;
const start = async () => {
  const prepared = await prepareFile(project.path("flow.ts"), { params: () => ({}), inputs: new Map() }, quiet);
  return await startRun(prepared, { cache: true, after: [] }, quiet);
};
const reopen = (run: string) => reopenRun(run, { root: project.root, storeFolder: project.store }, {}, quiet);

/** Executes on a site, and closes the store when it has ended. */
async function execute(
  started: StartedRun,
  site: SimulatedSite,
  { control = new RunControl(), onClose = quiet }: { control?: RunControl; onClose?: () => void } = {},
) {
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => void events.push(event);
  const openSite = site.opener(onClose);
  try {
    return { ...(await executeRun(started, { onEvent, control, ask: nobodyToAsk, openSite })), events };
  } finally {
    started.store.close();
  }
}

const onlyHanging =
  (stage: string): Behaviour =>
  ({ task }) =>
    task === stage ? "hangs" : "succeeds";

it("runs to the end: outputs are written, facts are told and stored, functions run beside the engine", async () => {
  const site = new SimulatedSite();
  const started = await start();
  const { run, status, outputs, events } = await execute(started, site);
  expect(status).toBe("succeeded");
  expect(readFileSync(outputs.text?.path as string, "utf8")).toBe("second text");
  expect(outputs.size?.value).toBe("second text".length);
  expect(events.map(({ type }) => type)).toEqual([
    "run.started",
    ...events.slice(1, -1).map(({ type }) => type),
    "run.finished",
  ]);
  const ended = events.flatMap((event) => (event.type === "task.ended" ? [[event.task, event.state]] : []));
  expect(ended).toEqual([
    ["first", "done"],
    ["second", "done"],
    ["size", "done"],
  ]);
  const again = await reopen(run).catch((error: unknown) => error);
  expect(again).toMatchObject({ code: "WF_USAGE", message: `${run} has already succeeded` });
});

it("owns the run until its site is closed, and not longer", async () => {
  const started = await start();
  let whenClosed: number | undefined;
  const onClose = () => {
    whenClosed = started.store.lease(started.run)?.pid;
  };
  const site = new SimulatedSite(() => {
    expect(started.store.lease(started.run)?.pid).toBe(process.pid);
    return "succeeds";
  });
  await execute(started, site, { onClose });
  expect(whenClosed).toBe(process.pid);
  const { store, run } = started;
  const look = Store.open(store.folder, { readonly: true });
  expect(look.lease(run)).toBeUndefined();
  look.close();
});

it("ends as failed when the site cannot be opened, says why in the store, and gives the run up", async () => {
  const started = await start();
  const { run } = started;
  const broken = Object.assign(new SimulatedSite(), {
    opener: () => () => Promise.reject(new Error("no route to it")),
  });
  await expect(execute(started, broken)).rejects.toThrow("no route to it");
  const site = new SimulatedSite();
  const again = await reopen(run);
  expect(again.store.run(run)).toMatchObject({ status: "failed" });
  expect(again.store.lease(run)).toBeUndefined();
  expect((await execute(again, site)).status).toBe("succeeded");
});

it("is drained: what runs ends, nothing more begins, and a resumed run does the rest once", async () => {
  const control = new RunControl();
  const site = new SimulatedSite(onlyHanging("first"));
  const started = await start();
  const ending = execute(started, site, { control });
  await until("the first task runs", () => site.jobs.length === 1);
  control.drain();
  site.release();
  const { run, status } = await ending;
  expect(status).toBe("stopped");
  expect((await execute(await reopen(run), site)).status).toBe("succeeded");
  expect(site.jobs.map(({ tasks }) => tasks.map(({ task }) => task))).toEqual([["first"], ["second"]]);
});

it("is cancelled: what runs is ended, and a resumed run makes it again", async () => {
  const control = new RunControl();
  let isPatient = true;
  const site = new SimulatedSite(({ task }) => (task === "second" && isPatient ? "hangs" : "succeeds"));
  const ending = execute(await start(), site, { control });
  await until("the second task runs", () => site.jobs.length === 2);
  control.cancel();
  const { run, status } = await ending;
  expect(status).toBe("cancelled");
  isPatient = false;
  expect((await execute(await reopen(run), site)).status).toBe("succeeded");
  expect(site.jobs.map(({ tasks }) => tasks[0]?.attempt)).toEqual(["first@1", "second@1", "second@2"]);
});

it("is stopped by what others ask of it through the store", async () => {
  const site = new SimulatedSite(onlyHanging("first"));
  const started = await start();
  const ending = execute(started, site);
  await until("the first task runs", () => site.jobs.length === 1);
  started.store.ask(started.run, "cancel", "a test");
  expect((await ending).status).toBe("cancelled");
});

it("obeys an order that came before the site was open", async () => {
  const control = new RunControl();
  control.drain();
  const site = new SimulatedSite();
  expect((await execute(await start(), site, { control })).status).toBe("stopped");
  expect(site.jobs).toEqual([]);
});

it("a task that fails fails the run, and what depends on it is never begun", async () => {
  const site = new SimulatedSite(({ task }) => (task === "first" ? "exit" : "succeeds"));
  const { status, events } = await execute(await start(), site);
  expect(status).toBe("failed");
  const ended = events.flatMap((event) => (event.type === "task.ended" ? [[event.task, event.state]] : []));
  expect(ended).toContainEqual(["first", "failed"]);
  expect(site.jobs).toHaveLength(1);
});
