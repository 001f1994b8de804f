import { StoreFixture } from "@wf/run/testing";
import { Store } from "@wf/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { deleteRuns } from "./collect-runs.ts";

const HOUR = 3600;
let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

/** A run that began some hours ago, and ended some hours ago unless it was interrupted. */
function runOf(begunHoursAgo: number, endedHoursAgo: number | null): string {
  const hoursAgo = (hours: number) => Date.now() / 1000 - hours * HOUR;
  const at = { hours: begunHoursAgo };
  const store = Store.open(fixture.folder, { now: () => hoursAgo(at.hours) });
  const run = store.createRun({
    workflow: { name: "demo", file: "demo.ts", hash: "a".repeat(64), source: "" },
    params: {},
    inputs: {},
    site: "local",
    options: {},
    plan: {},
    git: null,
  });
  store.journal(run).runStarted();
  if (endedHoursAgo !== null) {
    at.hours = endedHoursAgo;
    store.journal(run).runFinished({ status: "succeeded", outputs: {}, metrics: {}, error: null });
  }
  store.close();
  return run;
}

const collect = (olderThanHours?: number) =>
  deleteRuns(fixture.store, {
    olderThanSeconds: olderThanHours === undefined ? undefined : olderThanHours * HOUR,
    keep: undefined,
    isDryRun: true,
  });

it("goes by when a run ended, not by when it began", () => {
  const long = runOf(50, 2);
  const old = runOf(20, 19);
  expect(collect(10).gone.map(({ run }) => run)).toEqual([old]);
  expect([...collect(10).keptRuns]).toEqual([long]);
});

it("keeps content that is younger than an hour, or than the oldest run that may be resumed", () => {
  runOf(50, 49);
  expect(collect().youngMs).toBe(HOUR * 1000);
  runOf(30, null);
  runOf(5, null);
  expect(collect().youngMs / 1000 / HOUR).toBeCloseTo(30, 1);
});

it("an interrupted run that goes keeps nothing back", () => {
  const interrupted = runOf(30, null);
  const { gone, youngMs } = collect(20);
  expect(gone.map(({ run, status }) => [run, status])).toEqual([[interrupted, "interrupted"]]);
  expect(youngMs).toBe(HOUR * 1000);
});
