/** Law: a task that its job did not come to has failed nothing, and costs nothing. */
import { each, type Graph } from "@wf/core";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { add, adding, ran, start } from "./test-adding.ts";
import { behaviourOf, graphOf, program } from "./test-program.ts";
import { TestRun } from "./test-run.ts";
import type { Behaviour } from "./test-site.ts";

/** Whatever fails takes the rest of its job with it. */
function endingItsJob(behaviour: Behaviour): Behaviour {
  return (...task) => {
    const outcome = behaviour(...task);
    return outcome.failure ? { ...outcome, endsJob: true } : outcome;
  };
}

const settings = fc.record({
  slots: fc.integer({ min: 1, max: 4 }),
  tasksPerJob: fc.integer({ min: 2, max: 8 }),
  failsSometimes: fc.boolean(),
  failsAlways: fc.boolean(),
  batch: fc.integer({ min: 1, max: 6 }),
});
type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

function begin(graph: Graph, { failsSometimes, failsAlways, batch, ...chosen }: Settings) {
  return new TestRun(graph, {
    ...chosen,
    behaviour: endingItsJob(behaviourOf({ sometimes: failsSometimes, always: failsAlways })),
    retries: 2,
    keepGoing: true,
    batch: () => batch,
  });
}

/** How often each task ran. */
function executions({ site }: TestRun): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { task } of site.executions) counts[task] = (counts[task] ?? 0) + 1;
  return counts;
}

test("tasks that share a job with those that end it run and end as if each had been alone", () => {
  fc.assert(
    fc.property(program, settings, (statements, chosen) => {
      const graph = graphOf(statements);
      const alone = begin(graph, { ...chosen, tasksPerJob: 1 });
      const { status } = alone.finish();
      const together = begin(graph, chosen);
      expect(together.finish().status).toBe(status);
      expect(together.store.ends()).toEqual(alone.store.ends());
      expect(executions(together)).toEqual(executions(alone));
      expect(together.store.ofType("task.retry").length).toBe(alone.store.ofType("task.retry").length);
      if (status === "succeeded") expect(together.outputs()).toEqual(alone.outputs());
    }),
    cases(100),
  );
});

test("the same, with an engine that is killed on the way", () => {
  fc.assert(
    fc.property(program, settings, fc.nat({ max: 99 }), fc.nat({ max: 12 }), (statements, chosen, percent, seconds) => {
      const graph = graphOf(statements);
      const alone = begin(graph, { ...chosen, tasksPerJob: 1 });
      const { status } = alone.finish();
      const { moments } = begin(graph, chosen).finish();
      const together = begin(graph, chosen);
      const engine = together.engine();
      for (let moment = 0; moment < Math.floor((percent / 100) * moments); moment++) engine.next();
      together.site.engineDied(false);
      together.site.pass(seconds);
      expect(together.finish().status).toBe(status);
      expect(together.store.ends()).toEqual(alone.store.ends());
      expect(together.store.openAttempts(), "an attempt was forgotten").toEqual([]);
      if (status === "succeeded") expect(together.outputs()).toEqual(alone.outputs());
    }),
    cases(100),
  );
});

test("jobs of which each try comes only to a task that is too slow end all the same, one culprit after another", () => {
  const build = () => ({ all: each([1, 2, 3, 4]).map((n) => add({ all: [] }, { n }).n) });
  const tooSlow = { seconds: 60, failure: "time-limit", endsJob: true } as const;
  const behaviour = adding({ "add.*": tooSlow });
  const run = start(build, { behaviour, tasksPerJob: 4, slots: 1, retries: 1, keepGoing: true });
  expect(run.finish().status).toBe("failed");
  expect(Object.values(run.store.ends())).toEqual(["failed", "failed", "failed", "failed"]);
  for (const task of ["add.0", "add.1", "add.2", "add.3"]) {
    expect(ran(run).filter((attempt) => attempt.startsWith(`${task}@`))).toHaveLength(2);
  }
});

test("what was not reached is told after the culprit, and is no retry", () => {
  const build = () => ({ all: each([1, 2, 3]).map((n) => add({ all: [] }, { n }).n) });
  const behaviour: Behaviour = (task, execution, goesOnFrom) =>
    task.name === "add.0" && execution === 0
      ? { seconds: 1, failure: "out-of-memory", endsJob: true }
      : adding({})(task, execution, goesOnFrom);
  const run = start(build, { behaviour, tasksPerJob: 3, slots: 1, retries: 1 });
  expect(run.finish().status).toBe("succeeded");
  const told = run.store.facts.filter(({ type }) => type === "task.retry" || type === "task.unreached");
  expect(told.map((fact) => [fact.type, "task" in fact && fact.task])).toEqual([
    ["task.retry", "add.0"],
    ["task.unreached", "add.1"],
    ["task.unreached", "add.2"],
  ]);
  expect(run.output("all")).toEqual([1, 2, 3]);
});
