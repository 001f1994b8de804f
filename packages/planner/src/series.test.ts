import { atLeast, each, type Graph, json, series, tolerate, when, workflow } from "@wf/core";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { TaskInstance } from "./task-instance.ts";
import { compute, double, Growth, number, plain, sum } from "./test-unfolding.ts";

/** Round i adds up the results of earlier rounds and is worth one more than that. */
function counting(count: number, window: number): Graph {
  return workflow({
    name: "study",
    build: () => {
      const rounds = series({ count, window, gives: { n: json(z.number()) } }, (earlier, index) => {
        const seen = sum({ all: earlier.n }, {}, { as: "seen" });
        return { n: sum({ all: [seen.n, double({}, { n: index }).n] }, {}, { as: "round" }).n };
      });
      return { all: rounds.n };
    },
  }).toGraph();
}

/** Ends the tasks that are ready in the order that `choose` says. */
function runInOrder(growth: Growth, choose: (ready: number) => number): void {
  const ready: TaskInstance[] = [];
  const fill = () => {
    for (let task = growth.unfolding.next(); task; task = growth.unfolding.next()) ready.push(task);
  };
  for (fill(); ready.length > 0; fill()) {
    const [task] = ready.splice(choose(ready.length) % ready.length, 1) as [TaskInstance];
    growth.unfolding.succeeded(task, compute(task));
  }
}

test("round i is given exactly the results of rounds 0 to i - window, whatever ends when", () => {
  const sizes = fc.record({ count: fc.integer({ min: 1, max: 9 }), window: fc.integer({ min: 1, max: 4 }) });
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.nat()), ({ count, window }, order) => {
      const growth = new Growth(counting(count, window));
      runInOrder(growth, () => order.next().value as number);
      const expected: number[] = [];
      for (let i = 0; i < count; i++) {
        const seen = expected.slice(0, Math.max(0, i - window + 1)).reduce((a, b) => a + b, 0);
        expected.push(seen + 2 * i);
      }
      expect(growth.unfolding.finished).toBe(true);
      expect(growth.output("all")).toEqual(expected);
    }),
    cases(60),
  );
});

test("no more rounds are under way than the window allows, and as many as it allows are", () => {
  const growth = new Growth(counting(7, 3));
  const first: string[] = [];
  for (let task = growth.unfolding.next(); task; task = growth.unfolding.next()) first.push(task.name);
  expect(first.filter((name) => name.startsWith("seen"))).toEqual(["seen.0", "seen.1", "seen.2"]);
});

test("a round that fails keeps back only those that would be given its results", () => {
  const growth = new Growth(counting(6, 2)).run((task) => (task.name === "seen.1" ? undefined : compute(task)));
  expect(growth.ran.filter((name) => name.startsWith("seen"))).toEqual(["seen.0", "seen.1", "seen.2"]);
  expect(growth.unfolding.finished).toBe(true);
});

test("what fails where that is allowed leaves a gap, and the rest goes on", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const parts = each([1, 2, 3]).map((n) => tolerate(() => sum({ all: [double({}, { n }).n] }).n).orElse(n));
      return { n: sum({ all: parts }, {}, { as: "total" }).n };
    },
  }).toGraph();
  const growth = new Growth(graph).run((task) => (task.name === "double.1" ? undefined : compute(task)));
  expect(growth.skipped.map(({ name }) => name)).toEqual(["sum.1"]);
  expect(growth.output("n")).toBe(2 + 2 + 6);
});

test("what is left of a fan-out can be gathered", () => {
  const graph = workflow({
    name: "study",
    build: () => ({
      n: sum({
        all: each([1, 2, 3])
          .map((n) => tolerate(() => double({}, { n }).n))
          .present(),
      }).n,
    }),
  }).toGraph();
  const growth = new Growth(graph).run((task) => (task.name === "double.1" ? undefined : compute(task)));
  expect(growth.output("n")).toBe(2 + 6);
});

test("only what stands inside is tolerated", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const outer = double({}, { n: 1 }, { as: "outer" });
      return { n: tolerate(() => each([1]).map((n) => double({}, { n }, { as: "inner" }).n)), m: outer.n };
    },
  }).toGraph();
  const growth = new Growth(graph);
  const tolerated: string[] = [];
  growth.run((task) => {
    if (growth.unfolding.isTolerated(task)) tolerated.push(task.name);
    return compute(task);
  });
  expect(tolerated).toEqual(["inner.0"]);
});

test("a body may return what was made around it, even if that ends later", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const quick = double({}, { n: 4 }, { as: "quick" });
      const slow = double({}, { n: 5 }, { as: "slow" });
      return { n: when(atLeast(quick.n, 1), () => slow.n).orElse(quick.n) };
    },
  }).toGraph();
  const growth = new Growth(graph);
  const [quick, slow] = [growth.unfolding.next(), growth.unfolding.next()] as [TaskInstance, TaskInstance];
  growth.unfolding.succeeded(quick, { n: number(8) });
  growth.unfolding.succeeded(slow, { n: number(10) });
  expect(growth.output("n")).toBe(10);
});

test("a body that returns what failed around it has failed", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const slow = double({}, { n: 5 }, { as: "slow" });
      const perhaps = tolerate(() => slow.n);
      return { n: perhaps.orElse(double({}, { n: 1 }).n) };
    },
  }).toGraph();
  const growth = new Growth(graph).run((task) => (task.name === "slow" ? undefined : compute(task)));
  expect(plain(growth.unfolding.resolve(graph.outputs.n?.ref as never))).toBe(2);
});
