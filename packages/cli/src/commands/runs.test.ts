import { ended, lifeOf, StoreFixture, step } from "@wf/run/testing";
import { thisProcess } from "@wf/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { runs } from "./runs.ts";

let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

it("lists runs with their counts, the newest first", async () => {
  const first = fixture.begin({ stages: ["split"] });
  fixture.note(first, lifeOf(step("split"), 1));
  fixture.end(first, "succeeded");
  const second = fixture.begin({ stages: ["split", "train"] });
  fixture.note(second, [
    ended(step("split"), { state: "cached", cachedFrom: { run: first, task: "split" } }),
    ended(step("train"), { state: "failed" }),
  ]);
  fixture.end(second, "failed");
  const screen = new CapturedScreen();
  expect(await runs(fixture.options, screen)).toBe(0);
  expect(screen.lines[0]).toMatch(/^run +status +tasks +cached +failed +started +time +site$/);
  expect(screen.lines[1]).toMatch(new RegExp(`^${second}  failed +2 +1 +1 +just now +\\S+ +local$`));
  expect(screen.lines[2]).toMatch(new RegExp(`^${first}  succeeded +1 +just now +\\S+ +local$`));
});

it("tells a run whose owner died from one that runs", async () => {
  const lost = fixture.begin({ stages: [] });
  fixture.store.acquireLease(lost, { ...thisProcess(), pid: 2 ** 22 + 1 });
  const alive = fixture.begin({ stages: [] });
  fixture.store.acquireLease(alive);
  const screen = new CapturedScreen();
  await runs({ ...fixture.options, json: true }, screen);
  expect(screen.json).toMatchObject([
    { run: alive, status: "running", owner: { pid: process.pid, alive: true } },
    { run: lost, status: "interrupted", owner: { alive: false } },
  ]);
});

it("says how to see more, and filters", async () => {
  for (const workflow of ["a", "b", "a"]) fixture.end(fixture.begin({ workflow, stages: [] }), "succeeded");
  const limited = new CapturedScreen();
  await runs({ ...fixture.options, limit: 2 }, limited);
  expect(limited.lines).toHaveLength(4);
  expect(limited.lines[3]).toBe("… older ones: wf runs --limit 10");
  const filtered = new CapturedScreen();
  await runs({ ...fixture.options, json: true, workflow: "b", status: "succeeded" }, filtered);
  expect(filtered.json).toMatchObject([{ workflow: "b" }]);
});

it("says what to type where there is nothing, and refuses an unknown status", async () => {
  const screen = new CapturedScreen();
  await runs(fixture.options, screen);
  expect(screen.lines).toEqual(["no runs yet. Start one with: wf run FILE"]);
  await expect(runs({ ...fixture.options, status: "done" }, screen)).rejects.toMatchObject({ code: "WF_USAGE" });
  const elsewhere = { ...fixture.options, store: `${fixture.folder}/none` };
  await expect(runs(elsewhere, screen)).rejects.toMatchObject({ code: "WF_STORE_OPEN" });
});
