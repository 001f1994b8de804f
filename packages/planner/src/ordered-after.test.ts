import { each, inOrder, workflow } from "@wf/core";
import { expect, test } from "vitest";
import { orderedAfter } from "./ordered-after.ts";
import { compute, double, Growth } from "./test-unfolding.ts";

test("what a task waits for without reading it bears the numbers of where it lives, around it or beside it", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const before = double({}, { n: 1 }, { as: "before" });
      each([1, 2]).map((n) => {
        const first = double({}, { n }, { as: "first" });
        return each([3, 4]).map(() => {
          const beside = double({}, { n }, { as: "beside" });
          const last = double({}, { n }, { as: "last" });
          for (const earlier of [before, first, beside]) inOrder(earlier, last);
          return last.n;
        });
      });
      return {};
    },
  }).toGraph();
  const after = new Map<string, unknown>();
  new Growth(graph).run((task) => {
    after.set(task.name, orderedAfter(graph, task));
    return compute(task);
  });
  expect(after.get("beside.1.0")).toEqual([]);
  expect(after.get("last.1.0")).toEqual([
    { stages: ["before"], index: [] },
    { stages: ["first"], index: [1] },
    { stages: ["beside"], index: [1, 0] },
  ]);
});
