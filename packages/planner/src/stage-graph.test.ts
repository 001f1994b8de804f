import { atLeast, each, inOrder, repeat, when, workflow } from "@wf/core";
import { expect, test } from "vitest";
import { type StageGraph, stageGraph, stagesInside, stagesOf } from "./stage-graph.ts";
import { double, listed, sum } from "./test-unfolding.ts";

const edges = ({ graph }: StageGraph) => graph.edges().map((edge) => graph.extremities(edge).join(" -> "));
const graphOf = (build: () => object) =>
  workflow({ name: "study", build: build as () => Record<never, never> }).toGraph();

test("levels count from the sources, ranks to the sinks", () => {
  const stages = stageGraph(
    graphOf(() => {
      const a = double({}, { n: 1 }, { as: "a" });
      const b = double({}, { n: a.n }, { as: "b" });
      const c = double({}, { n: b.n }, { as: "c" });
      sum({ all: [a.n, c.n] }, {}, { as: "end" });
      double({}, { n: 1 }, { as: "alone" });
      return {};
    }),
  );
  expect(edges(stages)).toEqual(["a -> b", "b -> c", "a -> end", "c -> end"]);
  expect(Object.fromEntries(stages.levels)).toEqual({ a: 0, b: 1, c: 2, end: 3, alone: 0 });
  expect(Object.fromEntries(stages.ranks)).toEqual({ a: 3, b: 2, c: 1, end: 0, alone: 0 });
  expect(stages.order.indexOf("c")).toBeGreaterThan(stages.order.indexOf("b"));
});

test("maps are folded: edges go from what is mapped over into the body, and from its results on", () => {
  const graph = graphOf(() => {
    const scale = double({}, { n: 1 }, { as: "scale" });
    const inside = listed({})
      .all.items()
      .map((n) => {
        const first = double({}, { n }, { as: "first" });
        return {
          n: sum({ all: [first.n, scale.n] }, {}, { as: "second" }).n,
          lost: double({}, { n }, { as: "lost" }).n,
        };
      });
    sum({ all: inside.n }, {}, { as: "total" });
    return {};
  });
  const stages = stageGraph(graph);
  expect(edges(stages).toSorted()).toEqual([
    "first -> second",
    "listed -> first",
    "listed -> lost",
    "listed -> second",
    "listed -> total",
    "scale -> second",
    "second -> total",
  ]);
  expect(stages.ranks.get("map:first")).toBe(stages.ranks.get("first"));
  expect(stagesInside(graph, graph.nodes.get("map:first") as never)).toEqual(["first", "second", "lost"]);
});

test("both branches stand on the condition, and what follows on both", () => {
  const graph = graphOf(() => {
    const score = double({}, { n: 1 }, { as: "score" });
    const yes = () => double({}, { n: 1 }, { as: "yes" }).n;
    const no = () => double({}, { n: 2 }, { as: "no" }).n;
    const chosen = when(atLeast(score.n, 1), yes, no);
    double({}, { n: chosen }, { as: "after" });
    return { chosen };
  });
  expect(edges(stageGraph(graph)).toSorted()).toEqual([
    "no -> after",
    "score -> after",
    "score -> no",
    "score -> yes",
    "yes -> after",
  ]);
  expect(stagesOf(graph, graph.outputs.chosen?.ref as never).toSorted()).toEqual(["no", "score", "yes"]);
});

test("a loop is no cycle, and what judges a round is as urgent as what follows the loop", () => {
  const stages = stageGraph(
    graphOf(() => {
      const start = double({}, { n: 1 }, { as: "start" });
      const last = repeat(
        { n: start.n },
        ({ n }) => {
          const next = double({}, { n }, { as: "train" });
          return { n: next.n, score: double({}, { n: next.n }, { as: "judge" }).n };
        },
        { atMost: 3, until: ({ score }) => atLeast(score, 9) },
      );
      double({}, { n: last.n }, { as: "after" });
      return {};
    }),
  );
  expect(edges(stages).toSorted()).toEqual([
    "judge -> after",
    "start -> after",
    "start -> judge",
    "start -> train",
    "train -> after",
    "train -> judge",
  ]);
  expect(stages.ranks.get("judge")).toBe(1);
});

test("a cycle through inOrder is refused, and names its stages", () => {
  const graph = graphOf(() => {
    const a = double({}, { n: 1 }, { as: "a" });
    const b = double({}, { n: a.n }, { as: "b" });
    const c = double({}, { n: b.n }, { as: "c" });
    double({}, { n: c.n }, { as: "behind" });
    inOrder(c, a);
    return {};
  });
  expect(() => stageGraph(graph)).toThrow(
    expect.objectContaining({
      code: "WF_CYCLE",
      message: expect.stringMatching(/cycle: (a -> b -> c -> a|b -> c -> a -> b|c -> a -> b -> c)$/),
    }),
  );
});

test("a cycle through a map is refused", () => {
  const graph = graphOf(() => {
    const mapped = each([1, 2]).map((n) => double({}, { n }, { as: "inside" }));
    const total = sum({ all: mapped.n }, {}, { as: "total" });
    each([1]).map((n) => inOrder(total, double({}, { n }, { as: "late" })));
    return {};
  });
  expect(stageGraph(graph).order).toEqual(["inside", "total", "late"]);
  const [inside, total] = [graph.nodes.get("inside"), graph.nodes.get("total")];
  const turned = { ...inside, after: [total?.id] } as never;
  const cyclic = { ...graph, nodes: new Map([...graph.nodes, ["inside", turned]]) };
  expect(() => stageGraph(cyclic)).toThrow(expect.objectContaining({ code: "WF_CYCLE" }));
});

test("a long chain of conditions that each read the last one twice is walked in no time", () => {
  const graph = graphOf(() => {
    let last = double({}, { n: 1 }, { as: "start" }).n;
    for (let i = 0; i < 60; i++) {
      const before = last;
      last = when(
        atLeast(before, i),
        () => double({}, { n: before }, { as: `step-${i}` }).n,
        () => before,
      );
    }
    double({}, { n: last }, { as: "end" });
    return {};
  });
  expect(stageGraph(graph).levels.get("end")).toBe(61);
});
