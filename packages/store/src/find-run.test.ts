import { expect, test } from "vitest";
import { newRun, testStore } from "./facts.fixture.ts";
import type { Store } from "./store.ts";

const named = (name: string) => newRun({ workflow: { ...newRun().workflow, name } });

/** Runs 1 to n of a workflow. */
function create(store: Store, workflow: string, n: number): string[] {
  return Array.from({ length: n }, () => store.createRun(named(workflow)));
}

test("a run is named after its workflow, its number and four random characters", () => {
  const store = testStore();
  const [first, second] = create(store, "lung-seg", 2);
  expect(first).toMatch(/^lung-seg-1-[0-9a-z]{4}$/);
  expect(second).toMatch(/^lung-seg-2-[0-9a-z]{4}$/);
  expect(store.createRun(named("galaxy"))).toMatch(/^galaxy-1-/);
});

test("the number of a deleted run is not given again", () => {
  const store = testStore();
  const [, second] = create(store, "lung", 2);
  store.deleteRun(String(second));
  expect(store.createRun(named("lung"))).toMatch(/^lung-3-/);
});

test("a run is found by its name, by a unique beginning and as the last one", () => {
  const store = testStore();
  const [galaxy] = create(store, "galaxy", 1);
  const lungs = create(store, "lung", 12);
  expect(store.findRun(String(lungs[3]))).toBe(lungs[3]);
  expect(store.findRun("gal")).toBe(galaxy);
  expect(store.findRun("lung-12")).toBe(lungs[11]);
  expect(store.findRun("last")).toBe(lungs[11]);
});

test("a whole number wins over a longer one that starts alike", () => {
  const store = testStore();
  const lungs = create(store, "lung", 12);
  expect(store.findRun("lung-1")).toBe(lungs[0]);
});

test("what fits several runs or none is an error that lists near ones", () => {
  const store = testStore();
  const lungs = create(store, "lung", 3);
  create(store, "galaxy", 1);
  expect(() => store.findRun("lung")).toThrow(
    expect.objectContaining({
      code: "WF_RUN_NOT_FOUND",
      message: '"lung" fits 3 runs.',
      hint: expect.stringContaining([...lungs].reverse().join(", ")),
    }),
  );
  expect(() => store.findRun("lung-7-abcd")).toThrow(
    expect.objectContaining({ code: "WF_RUN_NOT_FOUND", hint: expect.stringContaining(`Did you mean ${lungs[2]}`) }),
  );
  expect(() => store.findRun("")).toThrow(expect.objectContaining({ code: "WF_RUN_NOT_FOUND" }));
});

test("an empty store has no last run", () => {
  expect(() => testStore().findRun("last")).toThrow(
    expect.objectContaining({ code: "WF_RUN_NOT_FOUND", hint: expect.stringContaining("wf run") }),
  );
});
