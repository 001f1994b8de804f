/** Law: a success that was none, and all that was built on it, leaves no trace in what a run ends with. */
import type { Graph } from "@wf/core";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { behaviourOf, endedFromOutside, graphOf, program } from "./test-program.ts";
import { TestRun } from "./test-run.ts";

const settings = fc.record({
  slots: fc.integer({ min: 1, max: 4 }),
  tasksPerJob: fc.constantFrom<number[]>(1, 1, 2, 5),
  useCache: fc.boolean(),
  failsSometimes: fc.boolean(),
  failsAlways: fc.constantFrom(false, false, true),
  batch: fc.integer({ min: 1, max: 6 }),
  preparingSeconds: fc.constantFrom<(number | null)[]>(null, 0, 3),
  confirmingSeconds: fc.integer({ min: 0, max: 9 }),
});
type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

function begin(graph: Graph, { failsSometimes, failsAlways, batch, ...chosen }: Settings, isDisturbed: boolean) {
  const behaviour = behaviourOf({ sometimes: failsSometimes, always: failsAlways });
  return new TestRun(graph, {
    ...chosen,
    behaviour: isDisturbed ? endedFromOutside(behaviour) : behaviour,
    retries: 2,
    keepGoing: true,
    batch: () => batch,
  });
}

function expectSame(disturbed: TestRun, undisturbed: TestRun): void {
  expect(disturbed.store.ends()).toEqual(undisturbed.store.ends());
  expect(disturbed.outputs()).toEqual(undisturbed.outputs());
  expect(disturbed.store.openAttempts(), "an attempt was forgotten").toEqual([]);
  expect(disturbed.store.provisionalSuccesses(), "a success stayed provisional").toEqual([]);
}

test("a run in which successes are revoked ends as one in which nothing was killed", () => {
  fc.assert(
    fc.property(program, settings, (statements, chosen) => {
      const graph = graphOf(statements);
      const undisturbed = begin(graph, chosen, false);
      const { status } = undisturbed.finish();
      const disturbed = begin(graph, chosen, true);
      expect(disturbed.finish().status).toBe(status);
      if (status === "succeeded") expectSame(disturbed, undisturbed);
    }),
    cases(100),
  );
});

test("the same, with an engine that is killed on the way", () => {
  fc.assert(
    fc.property(program, settings, fc.nat({ max: 99 }), fc.nat({ max: 12 }), (statements, chosen, percent, seconds) => {
      const graph = graphOf(statements);
      const undisturbed = begin(graph, chosen, false);
      const { status } = undisturbed.finish();
      const { moments } = begin(graph, chosen, true).finish();
      const disturbed = begin(graph, chosen, true);
      const engine = disturbed.engine();
      const isKilled = Array.from({ length: Math.floor((percent / 100) * moments) }).every(() => !engine.next().done);
      if (isKilled) {
        disturbed.site.engineDied(false);
        disturbed.site.pass(seconds);
        expect(disturbed.finish().status).toBe(status);
      }
      if (status === "succeeded") expectSame(disturbed, undisturbed);
    }),
    cases(100),
  );
});
