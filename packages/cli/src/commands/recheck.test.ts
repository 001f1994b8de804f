import type { JobEnding } from "@wf/backend-cluster";
import { ended, finished, part, readyWith, StoreFixture, started, step, submitted } from "@wf/run/testing";
import { LOCAL_SITE, SlurmSettings } from "@wf/site";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AskEndings } from "../looking/recheck-runs.ts";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { recheck } from "./recheck.ts";

let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

const STARTED_AT = 1_700_000_000;
const file = (letter: string) => ({ kind: "file", hash: letter.repeat(64), size: 3, name: "x" }) as const;
const { clustering, placement } = LOCAL_SITE;
const options = {
  site: {
    ...{ backend: "slurm", clustering, placement, env: {}, capacity: null, storage: "/scratch/me/wf" },
    slurm: SlurmSettings.parse({}),
  },
} as never;
const keyOf = (name: string) => readyWith(step(name), [part("param n", name)]);

/** A run whose tasks ended well, each in the job of SLURM that bears its number, as old versions stored it. */
function runOf(...jobs: readonly (readonly [task: string, queueJob: string])[]): string {
  const run = fixture.begin({ stages: jobs.map(([task]) => task), options });
  for (const [task, queueJob] of jobs) {
    const ready = keyOf(task);
    const attempt = `${task}@1`;
    const outputs = { out: file(task) };
    fixture.note(run, [
      ready,
      ...submitted(step(task)),
      { type: "attempts.queued", attempts: [{ task, attempt, queueJob }] },
      started(step(task), STARTED_AT),
      finished(step(task), { run, startedAt: STARTED_AT, wallSeconds: 100, outputs }),
      ended(step(task), { state: "done", outputs, key: keyIn(ready) }),
    ]);
  }
  fixture.end(run, "succeeded");
  return run;
}

function keyIn(fact: ReturnType<typeof keyOf>): string {
  return (fact as { readonly key: string }).key;
}

function ending(changes: Partial<JobEnding> = {}): JobEnding {
  return {
    ...{
      nodes: "c1",
      startedAt: STARTED_AT - 1,
      endedAt: STARTED_AT + 101,
      peakMemoryBytes: null,
      isByItself: true,
      exit: null,
    },
    failure: () => ({ class: "lost", message: "no record" }),
    interruption: () => null,
    ...changes,
  };
}
const cancelled = ending({
  isByItself: false,
  interruption: () => ({ class: "cancelled", message: "its job was cancelled (CANCELLED by 0)" }),
});

let asked: (readonly string[])[] = [];
beforeEach(() => {
  asked = [];
});
const accounting: AskEndings = async (_site, jobs) => {
  asked.push(jobs);
  return new Map([
    ["7", [ending()]],
    ["8", [cancelled]],
  ]);
};

async function report(more: object = {}, runs: readonly string[] = []) {
  const screen = new CapturedScreen();
  await recheck(runs, { ...fixture.options, json: true, ...more }, screen, accounting);
  return screen.json[0];
}

const isCached = (task: string) => fixture.store.cached(keyIn(keyOf(task))) !== undefined;

describe("recheck", () => {
  it("drops what was killed, and nothing else; asks a cluster once, and says what nobody can judge", async () => {
    const first = runOf(["a", "7"], ["b", "8"]);
    const second = runOf(["c", "9"]);
    expect(await report()).toMatchObject({
      ...{ results: 3, unknown: 1, underWay: [] },
      dropped: [{ run: first, task: "b", job: "8", failure: { class: "cancelled" }, jobEndedAt: STARTED_AT + 101 }],
    });
    expect(asked.map((jobs) => jobs.toSorted())).toEqual([["7", "8", "9"]]);
    expect(["a", "b", "c"].map(isCached)).toEqual([true, false, true]);
    expect(fixture.store.run(first).status).toBe("stopped");
    expect(fixture.store.run(second).status).toBe("succeeded");
    expect(fixture.store.attempts(first, "b")).toMatchObject([{ state: "failed", failure: { class: "cancelled" } }]);
    expect(fixture.store.memory(first).hasDoubts()).toBe(true);
    expect(await report()).toMatchObject({ results: 2, dropped: [] });
  });

  it("changes nothing with --dry-run", async () => {
    const run = runOf(["b", "8"]);
    expect(await report({ dryRun: true })).toMatchObject({ isDryRun: true, dropped: [{ task: "b" }] });
    expect(isCached("b")).toBe(true);
    expect(fixture.store.run(run).status).toBe("succeeded");
  });

  it("takes the result from runs that reused it, too", async () => {
    const first = runOf(["b", "8"]);
    const second = fixture.begin({ stages: ["b"], options });
    const reused = { state: "cached", outputs: { out: file("b") }, key: keyIn(keyOf("b")) } as const;
    fixture.note(second, [keyOf("b"), ended(step("b"), { ...reused, cachedFrom: { run: first, task: "b" } })]);
    fixture.end(second, "succeeded");
    expect(await report()).toMatchObject({ dropped: [{ run: first, reusedBy: [second] }] });
    expect(fixture.store.run(second).status).toBe("stopped");
    expect(fixture.store.task(second, "b").state).toBe("ready");
  });

  it("leaves a run alone that somebody runs", async () => {
    const first = runOf(["b", "8"]);
    fixture.store.acquireLease(first);
    expect(await report()).toMatchObject({ results: 0, underWay: [first] });
    expect(isCached("b")).toBe(true);
  });

  it("looks at the runs that are named, or at those of one site", async () => {
    const first = runOf(["a", "7"]);
    runOf(["b", "8"]);
    expect(await report({}, [first])).toMatchObject({ results: 1, dropped: [] });
    expect(await report({ site: "local" })).toMatchObject({ results: 2 });
    await expect(report({ site: "elsewhere" })).rejects.toMatchObject({ code: "WF_USAGE" });
  });

  it("lists what it found, and what to type", async () => {
    const run = runOf(["b", "8"], ["c", "9"]);
    const screen = new CapturedScreen();
    await recheck([], fixture.options, screen, accounting);
    expect(screen.text).toMatch(new RegExp(`^${run} +b +8 +\\S+ \\S+ +its job was cancelled`, "m"));
    expect(screen.text).toContain("dropped 1 of 2 results in jobs of a scheduler");
    expect(screen.text).toContain("1 result could not be judged: accounting does not know their jobs");
    expect(screen.text).toContain(`next  wf resume ${run}`);
  });
});
