import { above, fn, type Graph, inOrder, json, repeat, tolerate, when, workflow } from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { reasonText } from "./left-out.ts";
import { staticPart } from "./static-part.ts";
import { double, listed, plain, requestFor, sum } from "./test-export.ts";

const numbers = { numbers: json(z.array(z.number())) };
type Built = { toGraph(params?: Record<string, unknown>, given?: Iterable<string>): Graph };

async function namesOf(made: Built, inputs: Record<string, unknown> = {}): Promise<string[]> {
  const { tasks } = await staticPart(requestFor(made, inputs));
  return tasks.map(({ task }) => task.name);
}

test("a fan-out over what is known is static, and what reads it names its results", async () => {
  const made = workflow({
    name: "w",
    inputs: numbers,
    build: ({ inputs }) => {
      const doubled = inputs.numbers.items().map((n) => double({}, { n }).n);
      return { total: sum({ all: doubled.map((n) => double({}, { n }, { as: "again" }).n) }).n };
    },
  });
  const { tasks, leftOut, output } = await staticPart(requestFor(made, { numbers: [3, 4] }));
  expect(tasks.map(({ task }) => task.name)).toEqual(["double.0", "double.1", "again.0", "again.1", "sum"]);
  expect(leftOut).toEqual([]);
  expect(tasks[3]?.task.params.n).toMatchObject({ later: { op: "output", task: "double.1", name: "n" } });
  expect(output("total")).toMatchObject({ kind: "unknown", later: { op: "output", task: "sum", name: "n" } });
});

const half = fn({
  name: "half",
  inputs: { n: json(z.number()) },
  outputs: { n: json(z.number()) },
  run: () => ({ n: 1 }),
});

test.each<[string, Built, string[], string[]]>([
  [
    "a fan-out over a result",
    workflow({
      name: "w",
      build: () => ({
        all: listed({})
          .all.items()
          .map((n) => double({}, { n }).n),
      }),
    }),
    ["listed"],
    ["double: how many tasks there are is known when listed has run"],
  ],
  [
    "a condition on a result",
    workflow({
      name: "w",
      build: () => {
        const first = double({}, { n: 1 });
        const more = when(
          above(first.metrics.size, 2),
          () => double({}, { n: 2 }, { as: "more" }).n,
          () => first.n,
        );
        return { all: sum({ all: [more] }).n };
      },
    }),
    ["double"],
    ["more: whether it runs is known when double has run", "sum: reads what only a run can tell: it stands on double"],
  ],
  [
    "all rounds of a loop but the first",
    workflow({
      name: "w",
      build: () => repeat({}, () => double({}, { n: 1 }), { atMost: 3, until: (last) => above(last.n, 2) }),
    }),
    ["double.0"],
    ["double: how often it runs is known when double.0 has run"],
  ],
  [
    "a function of a result",
    workflow({ name: "w", build: () => ({ n: half({ n: double({}, { n: 1 }).n }).n }) }),
    ["double"],
    ["half: is a function of the workflow, which only wf can call, when double has run"],
  ],
  [
    "what may fail",
    workflow({ name: "w", build: () => ({ n: tolerate(() => double({}, { n: 1 })).n, all: listed({}).all }) }),
    ["listed"],
    ["double: may fail, and what follows depends on whether it did"],
  ],
  [
    "what waits for something that is left out",
    workflow({
      name: "w",
      build: () => {
        const late = half({ n: double({}, { n: 1 }).n });
        const last = listed({});
        inOrder(late, last);
        return { n: late.n, all: last.all };
      },
    }),
    ["double"],
    [
      "half: is a function of the workflow, which only wf can call, when double has run",
      "listed: waits for half, which is left out",
    ],
  ],
])("%s is left out, with the reason", async (_, made, kept, reasons) => {
  const { tasks, leftOut } = await staticPart(requestFor(made));
  expect(tasks.map(({ task }) => task.name)).toEqual(kept);
  expect(leftOut.map(({ stage, reason }) => `${stage}: ${reasonText(reason)}`)).toEqual(reasons);
});

test("what waits for a task without reading it names it", async () => {
  const made = workflow({
    name: "w",
    inputs: numbers,
    build: ({ inputs }) => {
      const first = listed({});
      const last = listed({}, {}, { as: "last" });
      inOrder(first, last);
      return { first: first.all, last: last.all, doubled: inputs.numbers.items().map((n) => double({}, { n }).n) };
    },
  });
  const { tasks } = await staticPart(requestFor(made, { numbers: [1] }));
  expect(tasks.map(({ task, after }) => [task.name, after])).toEqual([
    ["listed", []],
    ["last", ["listed"]],
    ["double.0", []],
  ]);
});

test("a function whose inputs are known is called, and its result makes more static", async () => {
  const spread = fn({
    name: "spread",
    inputs: { n: json(z.number()) },
    outputs: { all: json(z.array(z.number())) },
    run: (): { all: number[] } => ({ all: [] }),
  });
  const made = workflow({
    name: "w",
    inputs: { n: json(z.number()) },
    build: ({ inputs }) => ({
      all: spread({ n: inputs.n })
        .all.items()
        .map((n) => double({}, { n }).n),
    }),
  });
  const request = requestFor(
    made,
    { n: 2 },
    {
      callFn: async (task) => {
        expect([task.name, plain(task.inputs.n as never)]).toEqual(["spread", 2]);
        return { all: { kind: "json", value: [5, 6] } };
      },
    },
  );
  const { tasks, called } = await staticPart(request);
  expect(tasks.map(({ task }) => task.name)).toEqual(["double.0", "double.1"]);
  expect(called).toBe(1);
});

test("results of earlier runs are taken, and make more static", async () => {
  const made = workflow({
    name: "w",
    build: () => ({
      all: listed({})
        .all.items()
        .map((n) => double({}, { n }).n),
    }),
  });
  expect(await namesOf(made)).toEqual(["listed"]);
  const cached = { outputs: { all: { kind: "json", value: [7] } as const }, metrics: {}, run: "w-1", task: "listed" };
  let asked = 0;
  const known = { cached: () => (asked++ === 0 ? cached : undefined) };
  const part = await staticPart(requestFor(made, {}, { known }));
  expect(part.tasks.map(({ task }) => task.name)).toEqual(["double.0"]);
  expect([part.reused, part.leftOut]).toEqual([1, []]);
});
