import type { Graph } from "@wf/core";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { behaviourOf, graphOf, program } from "./test-program.ts";
import { TestRun } from "./test-run.ts";

const settings = fc.record({
  slots: fc.integer({ min: 1, max: 4 }),
  tasksPerJob: fc.constantFrom<number[]>(1, 1, 2, 5),
  useCache: fc.boolean(),
  failsSometimes: fc.boolean(),
  failsAlways: fc.constantFrom(false, false, true),
  batch: fc.integer({ min: 1, max: 6 }),
  preparingSeconds: fc.constantFrom<(number | null)[]>(null, 0, 3),
});

type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

/** When and how an engine is stopped, and what happens until the next one comes. */
const interruption = fc.record({
  by: fc.constantFrom("kill", "kill", "kill", "drain", "cancel"),
  /** How far, as a part of the moments of an undisturbed run. */
  after: fc.nat({ max: 99 }).map((percent) => percent / 100),
  secondsUnwatched: fc.nat({ max: 12 }),
  dropsWaiting: fc.boolean(),
  launcherDies: fc.constantFrom(false, false, "with records", "without records"),
});
type Interruption = typeof interruption extends fc.Arbitrary<infer T> ? T : never;

function begin(graph: Graph, chosen: Settings) {
  return new TestRun(graph, {
    ...chosen,
    behaviour: behaviourOf({ sometimes: chosen.failsSometimes, always: chosen.failsAlways }),
    retries: 2,
    keepGoing: true,
    batch: () => chosen.batch,
  });
}

/** Stops the engine after a number of moments, unless the run has ended by then. */
function interrupt(run: TestRun, moments: number, how: Omit<Interruption, "after">): boolean {
  if (how.by !== "kill") {
    const order = { type: how.by };
    const turn = Math.floor(moments / 3);
    const leftBehind = run.site.executions.filter(({ ended }) => ended === null);
    const { status } = run.finish((step) => (step === turn ? order : undefined));
    if (how.by === "drain") {
      const killed = leftBehind.filter(({ ended }) => ended === "killed").map(({ attempt }) => attempt);
      expect(killed, "draining ended what an earlier engine had left behind").toEqual([]);
    }
    return status === "stopped" || status === "cancelled";
  }
  const engine = run.engine();
  for (let moment = 0; moment <= moments; moment++) if (engine.next().done) return false;
  run.site.engineDied(how.dropsWaiting);
  if (how.launcherDies) run.site.launcherDied(how.launcherDies === "with records");
  run.site.pass(how.secondsUnwatched);
  return true;
}

/** What must hold however often engines were killed. */
function expectLawful({ store, site }: TestRun): void {
  const succeeded = new Map<string, number>();
  const underWay = new Map<string, number>();
  const left = new Map<string, number>();
  for (const { task, startMs, endMs, ended, goesOnFrom, leaves } of site.executions) {
    expect(startMs, `${task} ran while another attempt of it was under way`).toBeGreaterThanOrEqual(
      underWay.get(task) ?? 0,
    );
    underWay.set(task, ended === "killed" ? startMs : endMs);
    if (task.includes("glue")) continue;
    expect(goesOnFrom, `${task} did not go on from its newest checkpoint`).toBe(left.get(task) ?? 0);
    if (leaves > 0 && ended === "failed") left.set(task, leaves);
    expect(succeeded.has(task), `${task} ran again although it had its record`).toBe(false);
    if (ended === "succeeded") succeeded.set(task, endMs);
  }
  const tried = site.executions.filter(({ task }) => !task.includes("glue")).map(({ attempt }) => attempt);
  expect(new Set(tried).size, "two tries went by one name").toBe(tried.length);
  const handedOver = store.ofType("attempt.submitted").map(({ attempt }) => attempt);
  expect(new Set(handedOver).size, "an attempt was noted twice").toBe(handedOver.length);
  const done = store.ofType("task.ended").filter(({ state, replayed }) => state === "done" && !replayed);
  expect(new Set(done.map(({ task }) => task)).size, "a task was published twice").toBe(done.length);
  expect(store.openAttempts(), "an attempt was forgotten").toEqual([]);
}

test("a run that is stopped at any moment and resumed ends as an undisturbed one", () => {
  const interruptions = fc.array(interruption, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(program, settings, interruptions, (statements, chosen, killed) => {
      const graph = graphOf(statements);
      const undisturbed = begin(graph, chosen);
      const { status, moments } = undisturbed.finish();
      expectLawful(undisturbed);
      expect(undisturbed.site.mostJobsAtOnce).toBeLessThanOrEqual(8);
      if (!chosen.failsAlways) expect(status).toBe("succeeded");

      const disturbed = begin(graph, chosen);
      const hasEnded = killed.some(({ after, ...how }) => !interrupt(disturbed, Math.floor(after * moments), how));
      if (!hasEnded) expect(disturbed.finish().status).toBe(status);
      expectLawful(disturbed);
      expect(disturbed.store.ends()).toEqual(undisturbed.store.ends());
      if (status === "succeeded") expect(disturbed.outputs()).toEqual(undisturbed.outputs());
    }),
    cases(200),
  );
});

test("a run killed at every single moment in turn ends as an undisturbed one", () => {
  const graph = graphOf([
    { kind: "grown", uses: [0], body: [{ kind: "task", uses: [0], isGlue: false }] },
    { kind: "repeat", from: 1, atMost: 2, limit: 9, body: [{ kind: "task", uses: [9], isGlue: true }] },
    { kind: "when", on: 2, limit: 5, yes: [{ kind: "task", uses: [1], isGlue: false }], no: null },
  ]);
  const chosen = {
    slots: 2,
    tasksPerJob: 2,
    useCache: true,
    failsSometimes: true,
    failsAlways: false,
    batch: 2,
    preparingSeconds: null,
  };
  const undisturbed = begin(graph, chosen);
  undisturbed.finish();
  for (let moments = 0, ended = false; !ended; moments++) {
    const run = begin(graph, chosen);
    ended = !interrupt(run, moments, {
      by: "kill",
      secondsUnwatched: 1,
      dropsWaiting: moments % 2 === 0,
      launcherDies: false,
    });
    if (!ended) expect(run.finish().status).toBe("succeeded");
    expectLawful(run);
    expect(run.outputs()).toEqual(undisturbed.outputs());
  }
});
