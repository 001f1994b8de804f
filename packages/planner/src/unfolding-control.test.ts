import {
  above,
  atLeast,
  below,
  both,
  each,
  either,
  equals,
  type JsonHandle,
  json,
  not,
  nothing,
  optional,
  repeat,
  task,
  when,
  workflow,
  zip,
} from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import type { TaskInstance } from "./task-instance.ts";
import { compute, double, Growth, listed, number, plain, sum } from "./test-unfolding.ts";

function branches(start: number, hasElse: boolean): Growth {
  const graph = workflow({
    name: "study",
    build: () => {
      const first = double({}, { n: start });
      const isHigh = atLeast(first.metrics.size, 5);
      const high = () => double({}, { n: first.n }, { as: "high" }).n;
      const low = () => sum({ all: [first.n, first.n, first.n] }, {}, { as: "low" }).n;
      if (hasElse) return { n: when(isHigh, high, low) };
      const perhaps = when(isHigh, high);
      return { n: perhaps, sure: perhaps.orElse(first.n) };
    },
  }).toGraph();
  return new Growth(graph).run();
}

test("a condition runs one branch and not the other", () => {
  const yes = branches(5, true);
  expect([yes.ran, yes.output("n")]).toEqual([["double", "high"], 20]);
  const no = branches(1, true);
  expect([no.ran, no.output("n")]).toEqual([["double", "low"], 6]);
});

test("without an else the result may be absent, and the other one stands in", () => {
  const yes = branches(5, false);
  expect([yes.output("n"), yes.output("sure")]).toEqual([20, 20]);
  const no = branches(1, false);
  expect([no.ran, no.output("n"), no.output("sure")]).toEqual([["double"], "absent", 2]);
});

test("an item whose last node ends at once ends once", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const all = each([1, 2]).map((n) => {
        const first = double({}, { n });
        return when(atLeast(first.n, 9), () => double({}, { n: first.n }, { as: "more" }).n).orElse(first.n);
      });
      return { all, total: sum({ all }).n };
    },
  }).toGraph();
  const grown = new Growth(graph);
  const [one, two] = [grown.unfolding.next(), grown.unfolding.next()] as [TaskInstance, TaskInstance];
  grown.unfolding.succeeded(two, compute(two));
  expect(grown.unfolding.next()).toBeUndefined();
  grown.unfolding.succeeded(one, compute(one));
  expect(grown.run().ran).toEqual(["sum"]);
  expect([grown.output("all"), grown.output("total")]).toEqual([[2, 4], 6]);
});

test("a collection from a branch that was not taken is empty", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const none = when(above(double({}, { n: 1 }).n, 9), () => listed({}).all.items());
      const zipped = zip({ none, also: none }).map(({ also }) => also);
      return { total: sum({ all: none }).n, mapped: none.map((n) => double({}, { n }, { as: "never" })).n, zipped };
    },
  }).toGraph();
  const grown = new Growth(graph).run();
  expect(grown.broken).toEqual([]);
  expect([grown.output("total"), grown.output("mapped"), grown.output("zipped")]).toEqual([0, [], []]);
});

test.each([
  ["below", 2, true],
  ["above", 2, false],
  ["equals", 2, true],
  ["both", 2, false],
  ["either", 2, true],
  ["not", 2, false],
])("%s is decided when the value is there", (name, start, holds) => {
  const graph = workflow({
    name: "study",
    build: () => {
      const { n } = double({}, { n: start });
      const isSmall = below(n, 10);
      const conditions = {
        below: isSmall,
        above: above(n, 10),
        equals: equals(n, 4),
        both: both(isSmall, above(n, 10)),
        either: either(isSmall, above(n, 10)),
        not: not(isSmall),
      };
      return { taken: when(conditions[name as keyof typeof conditions], () => n) };
    },
  }).toGraph();
  expect(new Growth(graph).run().output("taken")).toBe(holds ? 4 : "absent");
});

const checkpoint = json(z.number());
const train = task({
  name: "train",
  inputs: { from: optional(checkpoint) },
  outputs: { n: checkpoint },
  params: z.object({ round: z.number() }),
  command: ({ params }) => ["train", params.round],
});

/** Each round doubles what the one before has made; `failing` is the round that fails. */
function rounds(options: { readonly until: number; readonly atMost: number; readonly failing?: number }): Growth {
  const graph = workflow({
    name: "study",
    build: () => {
      const last = repeat({ n: nothing(checkpoint) }, ({ n }, round) => train({ from: n }, { round }), {
        atMost: options.atMost,
        until: ({ n }) => atLeast(n, options.until),
      });
      return { n: last.n, after: double({}, { n: last.n }).n };
    },
  }).toGraph();
  return new Growth(graph).run((task) => {
    if (task.node.id !== "train") return compute(task);
    if (plain(task.params.round) === options.failing) return undefined;
    const { from } = task.inputs;
    return { n: number(from?.kind === "absent" ? 1 : 2 * (plain(from) as number)) };
  });
}

test("a loop ends as soon as its condition holds, with the result of the last round", () => {
  const grown = rounds({ until: 4, atMost: 10 });
  expect(grown.ran).toEqual(["train.0", "train.1", "train.2", "double"]);
  expect([grown.output("n"), grown.output("after")]).toEqual([4, 8]);
});

test("what a loop carries is that of its own round, also for what lies deeper in the round", () => {
  const twice = { atMost: 2, until: ({ n }: { readonly n: JsonHandle<number> }) => equals(n, -1) };
  const graph = workflow({
    name: "study",
    build: () => {
      const start = double({}, { n: 1 }, { as: "start" }).n;
      const round = ({ n }: { readonly n: JsonHandle<number> }) => {
        const deep = each([7, 7]).map(() => repeat({ n }, (inner) => ({ n: double({}, inner).n }), twice).n);
        return { n: sum({ all: deep }).n };
      };
      return { n: repeat({ n: start }, round, twice).n };
    },
  }).toGraph();
  const grown = new Growth(graph).run();
  expect(grown.output("n")).toBe(2 * 8 * 8);
});

test("a loop ends at its bound", () => {
  const grown = rounds({ until: 1e9, atMost: 3 });
  expect([grown.ran.length, grown.output("n")]).toEqual([4, 4]);
});

test("a round that fails ends its loop, and what stands on it is skipped", () => {
  const grown = rounds({ until: 1e9, atMost: 5, failing: 1 });
  expect(grown.ran).toEqual(["train.0", "train.1"]);
  expect(grown.skipped.map(({ name, cause }) => [name, cause.task])).toEqual([["double", "train.1"]]);
  expect(grown.unfolding.finished).toBe(true);
});
