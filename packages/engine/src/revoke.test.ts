/** Law: a success that was none, and all that was built on it, leaves no trace in what a run ends with. */
import type { Graph } from "@wf/core";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { add, adding, fails, start } from "./test-adding.ts";
import { behaviourOf, endedFromOutside, graphOf, program } from "./test-program.ts";
import { plain, TestRun } from "./test-run.ts";
import type { Behaviour } from "./test-site.ts";

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

test("what ran on a revoked success and was skipped since is not waited for when it is wanted again", () => {
  const build = () => {
    const first = add({ all: [] }, {}, { as: "first" });
    const slow = add({ all: [] }, { n: 10 }, { as: "slow" });
    const both = add({ all: [first.n, slow.n] }, {}, { as: "both" });
    const last = add({ all: [slow.n, both.n] }, {}, { as: "last" });
    return { n: last.n, other: add({ all: [] }, {}, { as: "other" }).n };
  };
  const wrong = (n: number, seconds: number) => (execution: number) =>
    execution === 0 ? { seconds, outputs: { n }, isEndedFromOutside: true } : {};
  const last = (execution: number) => ({ seconds: execution === 0 ? 100 : 1 });
  const usual = adding({ first: wrong(100, 1), slow: wrong(200, 8), last, other: { seconds: 60 } });
  const behaviour: Behaviour = (task, ...about) => {
    const isHalfRight = task.name === "both" && (plain(task.inputs.all) as number[]).join() === "1,200";
    return { ...usual(task, ...about), ...(isHalfRight ? fails : {}) };
  };
  const run = start(build, { behaviour, slots: 4, keepGoing: true, confirmingSeconds: 20 });
  expect(run.finish().status).toBe("succeeded");
  expect(run.output("n")).toBe(1 + 10 + (1 + 1 + 10));
  expect(run.site.executions.find(({ attempt }) => attempt === "last@1")?.ended).toBe("killed");
  expect(run.store.ends()).toEqual({ both: "done", first: "done", last: "done", other: "done", slow: "done" });
});
