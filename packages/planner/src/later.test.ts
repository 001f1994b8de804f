import { dataset, datasetOf, each, equals, file, json, optional, task, when, workflow } from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Resolved } from "./resolved.ts";
import type { TaskInstance } from "./task-instance.ts";
import { Growth } from "./test-unfolding.ts";

const made = task({
  name: "made",
  outputs: {
    text: file("txt"),
    extra: optional(file("txt")),
    facts: json(z.object({ n: z.number(), all: z.array(z.number()) })),
    rows: dataset({ text: file("txt"), n: json(z.number()) }),
  },
  metrics: ["size"],
  command: () => ["make"],
});

/** Results are unknown; `later` says how they are found. */
function told({ name, node }: TaskInstance): { readonly [name: string]: Resolved } {
  const result = (op: "output" | "metric") => (of: string) => [
    of,
    { kind: "unknown", because: name, later: { op, task: name, name: of } },
  ];
  const { outputs, metrics } = node.declaration;
  return Object.fromEntries([...Object.keys(outputs).map(result("output")), ...metrics.map(result("metric"))]);
}

type Made = ReturnType<typeof made>;
type Build = Parameters<typeof workflow>[0]["build"];

/** What a workflow that makes these of the results of two tasks comes to. */
function comeTo(build: (one: Made, two: Made) => ReturnType<Build>): (name: string) => Resolved {
  const graph = workflow({ name: "w", build: () => build(made({}), made({}, {}, { as: "two" })) }).toGraph();
  const { unfolding } = new Growth(graph).run(told);
  return (name) => unfolding.resolve((graph.outputs[name] as (typeof graph.outputs)[string]).ref);
}

const later = (because: string, how: object) => ({ kind: "unknown", because, later: how });
const output = (task: string, name: string) => later(task, { op: "output", task, name });

test("a member of a value, its elements and a metric", () => {
  const value = comeTo((one, two) => ({
    n: one.facts.fields.n,
    numbers: two.facts.fields.all.items(),
    size: one.metrics.size,
  }));
  expect(value("n")).toEqual(later("made", { op: "field", of: output("made", "facts"), name: "n" }));
  const all = later("two", { op: "field", of: output("two", "facts"), name: "all" });
  expect(value("numbers")).toEqual(later("two", { op: "items", of: all }));
  expect(value("size")).toEqual(later("made", { op: "metric", task: "made", name: "size" }));
});

test("columns of a dataset, and several datasets as one", () => {
  const value = comeTo((one, two) => ({
    texts: one.rows.column("text"),
    picked: two.rows.pick("n"),
    rows: each([one.rows, two.rows]).merge(),
  }));
  expect(value("texts")).toEqual(later("made", { op: "column", of: output("made", "rows"), column: "text" }));
  expect(value("picked")).toEqual(later("two", { op: "pick", of: output("two", "rows"), columns: ["n"] }));
  expect(value("rows")).toMatchObject({
    later: { op: "merge", of: { kind: "list", count: 2 }, columns: { text: "file", n: "value" } },
  });
});

test("a table of lists, and a list without what is absent", () => {
  const value = comeTo((one, two) => ({
    rows: datasetOf({ text: each([one.text, two.text]), n: one.rows.column("n") }),
    texts: each([1, 2])
      .map(() => made({}, {}, { as: "each" }).extra)
      .present(),
  }));
  expect(value("rows")).toMatchObject({
    later: { op: "table", of: { text: { kind: "list" }, n: { later: { op: "column" } } } },
  });
  expect(value("texts")).toMatchObject({ because: "each.0", later: { op: "present", of: { kind: "list", count: 2 } } });
});

test("what only a run can decide is not found later, nor is what is made of it", () => {
  const value = comeTo((one, two) => ({
    text: when(
      equals(one.facts.fields.n, 1),
      () => one.text,
      () => two.text,
    ),
    rows: one.rows.chunks({ size: 2 }).merge(),
  }));
  expect(value("text")).toEqual({ kind: "unknown", because: "made" });
  expect(value("rows")).toEqual({ kind: "unknown", because: "made" });
});
