import { expect, test } from "vitest";
import { addStage, file, newRun, runStep, testStore } from "./facts.fixture.ts";

test("all that a run was created with can be read back", () => {
  const store = testStore({ now: () => 50 });
  const git = { commit: "abc", branch: null, diffHash: "d1ff", locks: { "uv.lock": "h" } };
  const said = newRun({
    inputs: { xrays: file("x"), none: { kind: "absent" } },
    options: { failFast: true },
    plan: { version: 1, jobs: ["a"] },
    git,
  });
  const run = store.createRun(said);
  expect(store.run(run)).toMatchObject({
    run,
    workflow: "lung",
    number: 1,
    site: "local",
    status: "created",
    createdAt: 50,
    file: "lung.ts",
    bundle: said.workflow.hash,
    params: said.params,
    inputs: said.inputs,
    options: said.options,
    git,
    outputs: null,
    error: null,
  });
  expect(store.plan(run)).toEqual(said.plan);
  expect(store.workflow(run)).toEqual(said.workflow);
  expect(store.run(store.createRun(newRun())).git).toBeNull();
});

test("one bundle is stored once, however many runs use it", () => {
  const store = testStore();
  store.createRun(newRun());
  store.createRun(newRun());
  store.createRun(newRun({ workflow: { ...newRun().workflow, hash: "other", source: "edited" } }));
  expect(store.query("SELECT count(*) FROM workflows").rows).toEqual([[2]]);
});

test("runs are listed newest first, with filters and their tasks counted", () => {
  const store = testStore();
  const lung = store.createRun(newRun());
  const galaxy = store.createRun(newRun({ workflow: { ...newRun().workflow, name: "galaxy", hash: "g" } }));
  const last = store.createRun(newRun());
  store.journal(last).runStarted();
  const journal = store.journal(lung);
  addStage(journal, "s");
  runStep(journal, { stage: "s" });
  journal.taskEnded({ task: "s2", state: "skipped", stage: "s", index: [] });
  expect(store.runs().map(({ run }) => run)).toEqual([last, galaxy, lung]);
  expect(store.runs({ limit: 1 }).map(({ run }) => run)).toEqual([last]);
  expect(store.runs({ workflow: "galaxy" }).map(({ run }) => run)).toEqual([galaxy]);
  expect(store.runs({ status: "running" }).map(({ run }) => run)).toEqual([last]);
  expect(store.runs({ status: "created", workflow: "lung" })).toMatchObject([
    { run: lung, tasks: { done: 1, skipped: 1, ready: 0, failed: 0 } },
  ]);
});
