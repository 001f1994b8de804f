import {
  atLeast,
  dataset,
  datasetOf,
  directory,
  each,
  file,
  type Graph,
  inOrder,
  json,
  type Node,
  optional,
  type Ref,
  repeat,
  type Scope,
  type TaskNode,
  task,
  when,
  workflow,
  zip,
} from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import type { ResolvedList } from "./resolved.ts";
import type { TaskInstance } from "./task-instance.ts";
import { compute, double, Growth, listed, number, plain, sum } from "./test-unfolding.ts";
import { MemoryValues } from "./test-value-ops.ts";

test.each([0, 1, 10_000])("a list of %i that is known now runs that many tasks, in order", (size) => {
  const graph = workflow({
    name: "study",
    build: () => {
      const doubled = each(Array.from({ length: size }, (_, i) => i)).map((n) => double({}, { n }));
      return { total: sum({ all: doubled.n }).n, all: doubled.n };
    },
  }).toGraph();
  const grown = new Growth(graph).run();
  expect(grown.unfolding.finished).toBe(true);
  expect(grown.ran).toEqual([...Array.from({ length: size }, (_, i) => `double.${i}`), "sum"]);
  expect(grown.output("total")).toBe(size ** 2 - size);
  expect(grown.output("all")).toHaveLength(size);
  expect(grown.expanded.map(({ node, count }) => [node.id, count])).toEqual([["map:double", size]]);
});

test.each([0, 1, 100])("a list of %i that only a task knows is expanded when the task has ended", (size) => {
  const graph = workflow({
    name: "study",
    build: () => ({
      total: sum({
        all: listed({}, { size })
          .all.items()
          .map((n) => double({}, { n })).n,
      }).n,
    }),
  }).toGraph();
  const grown = new Growth(graph);
  const first = grown.unfolding.next() as TaskInstance;
  expect([first.name, grown.unfolding.next(), grown.expanded]).toEqual(["listed", undefined, []]);
  grown.unfolding.succeeded(first, compute(first));
  expect(grown.run().ran).toHaveLength(size + 1);
  expect(grown.output("total")).toBe(size ** 2 - size);
});

test("maps inside of maps know both places, and their results keep their shape", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const rows = each([1, 2, 3]).map((a) =>
        each([10, 20, 30, 40]).map((b) => sum({ all: [double({}, { n: a }).n, double({}, { n: b }).n] }).n),
      );
      return { rows, total: sum({ all: rows.flat() }, {}, { as: "total" }).n };
    },
  }).toGraph();
  const grown = new Growth(graph).run();
  expect(grown.ran.filter((name) => name.startsWith("sum."))).toHaveLength(12);
  expect(grown.ran).toContain("double-2.2.3");
  expect(grown.output("rows")).toEqual([1, 2, 3].map((a) => [10, 20, 30, 40].map((b) => 2 * (a + b))));
  expect(grown.output("total")).toBe(2 * (4 * 6 + 3 * 100));
});

test("a flat list may be longer than a call can have arguments", () => {
  const long = Array.from({ length: 200_000 }, () => 0);
  const graph = workflow({
    name: "study",
    build: () => {
      const lists = each([long]).map((all) => all.items());
      return { all: lists.flat() };
    },
  }).toGraph();
  const grown = new Growth(graph).run();
  expect((grown.unfolding.resolve(graph.outputs.all?.ref as never) as ResolvedList).count).toBe(long.length);
});

const pairs = workflow({
  name: "study",
  build: () => {
    const a = listed({}).all.items();
    const b = listed({}, {}, { as: "other" }).all.items();
    const added = zip({ a, b }).map((pair) => sum({ all: [pair.a, pair.b] }));
    return { total: sum({ all: added.n }, {}, { as: "total" }).n };
  },
});

test("aligned lists are walked side by side", () => {
  expect(new Growth(pairs.toGraph()).run().output("total")).toBe(6);
});

test("aligned lists of unequal length break the node, and what stands on it is skipped with its cause", () => {
  const grown = new Growth(pairs.toGraph()).run((task) =>
    task.name === "other" ? { all: { kind: "json", value: [1] } } : compute(task),
  );
  expect(grown.broken.map(({ node, error }) => [node.id, error.code, error.message])).toEqual([
    ["map:sum", "WF_ZIP_LENGTH", '"a" has 3 elements and "b" has 1'],
  ]);
  expect(grown.broken[0]?.error.where).toContain("map:sum");
  expect(grown.skipped.map(({ name, cause }) => [name, cause.task])).toEqual([["total", "map:sum"]]);
  expect(grown.unfolding.finished).toBe(true);
});

const scans = dataset({ image: file("png"), n: json(z.number()) });
const show = task({
  name: "show",
  inputs: { image: optional(file("png")), some: optional(scans) },
  params: z.object({ n: z.number().optional() }),
  command: () => ["show"],
});

test("columns of unequal length make no dataset", () => {
  const graph = workflow({
    name: "study",
    inputs: { scans },
    build: ({ inputs }) => {
      const { image } = inputs.scans.rows().map((row) => row);
      show({ some: datasetOf({ image, n: listed({}, { size: 2 }).all.items() }) });
      return {};
    },
  }).toGraph();
  const values = new MemoryValues();
  const rows = [1, 2, 3].map((n) => ({ image: values.file(`${n}.png`), n: number(n) }));
  const grown = new Growth(graph, { scans: values.dataset(rows) }, values).run();
  expect(grown.broken.map(({ node, error }) => [node.id, error.code])).toEqual([["show", "WF_ZIP_LENGTH"]]);
});

test("rows, chunks, columns and files are what the values say", () => {
  const graph = workflow({
    name: "study",
    inputs: { scans, folder: directory() },
    build: ({ inputs }) => {
      inputs.scans.chunks({ size: 2 }).map((some) => show({ some }, {}, { as: "chunk" }));
      inputs.folder.files("*.png").map((image) => show({ image }, {}, { as: "file" }));
      const { image, n } = inputs.scans.rows().map((row) => row);
      const again = datasetOf({ image, n });
      const both = each([again, inputs.scans]).map((some) => some);
      return {
        rows: inputs.scans.rows().map((row, index) => {
          show({ image: row.image }, { n: row.n }, { as: "row" });
          return index;
        }),
        numbers: inputs.scans.column("n"),
        merged: both.merge().column("n"),
        picked: inputs.scans.pick("n").column("n"),
      };
    },
  }).toGraph();
  const values = new MemoryValues();
  const rows = [1, 2, 3].map((n) => ({ image: values.file(`${n}.png`), n: number(n) }));
  const seen: Record<string, unknown> = {};
  const inputs = { scans: values.dataset(rows), folder: values.directory("a.png", "b.txt", "c.png") };
  const grown = new Growth(graph, inputs, values).run(({ name, inputs: { image, some }, params: { n } }) => {
    seen[name] = some?.kind === "dataset" ? some.rows : [image?.kind === "file" && image.name, plain(n)];
    return {};
  });
  expect(seen).toEqual({
    "row.0": ["1.png", 1],
    "row.1": ["2.png", 2],
    "row.2": ["3.png", 3],
    "chunk.0": 2,
    "chunk.1": 1,
    "file.0": ["a.png", undefined],
    "file.1": ["c.png", undefined],
  });
  expect(grown.output("rows")).toEqual([0, 1, 2]);
  expect(grown.output("numbers")).toEqual([1, 2, 3]);
  expect(grown.output("merged")).toEqual([1, 2, 3, 1, 2, 3]);
  expect(grown.output("picked")).toEqual([1, 2, 3]);
});

test("a sub-workflow's tasks run under its name", () => {
  const part = workflow({
    name: "part",
    params: z.object({ n: z.number() }),
    build: ({ params }) => ({ n: double({}, { n: params.n }).n }),
  });
  const graph = workflow({
    name: "study",
    build: () => ({ n: sum({ all: [part({}, { n: 1 }).n, part({}, { n: 2 }).n] }).n }),
  }).toGraph();
  const grown = new Growth(graph).run();
  expect([grown.ran, grown.output("n")]).toEqual([["part/double", "part/double-2", "sum"], 6]);
});

/** As a loop of calls in build() would make it, at once. */
function chain(length: number): Graph {
  const graph = workflow({
    name: "chain",
    build: () => ({ n: double({}, { n: double({}, { n: 1 }, { as: "step-0" }).n }, { as: "step-1" }).n }),
  }).toGraph();
  const ids = Array.from({ length }, (_, i) => `step-${i}`);
  const nodes = ids.map((id, i): [string, Node] => {
    const template = graph.nodes.get(i === 0 ? "step-0" : "step-1") as TaskNode;
    const n: Ref = { ref: "output", node: `step-${i - 1}`, name: "n" };
    return [id, { ...template, id, params: i === 0 ? template.params : { n } }];
  });
  return { ...graph, nodes: new Map(nodes), scopes: [{ ...(graph.scopes[0] as Scope), nodes: ids }] };
}

test("a long chain behind a failure is skipped without a deep recursion, and each knows the root", () => {
  const grown = new Growth(chain(5000)).run(() => undefined);
  expect(grown.skipped).toHaveLength(4999);
  expect(new Set(grown.skipped.map(({ cause }) => cause.task))).toEqual(new Set(["step-0"]));
  expect(grown.unfolding.finished).toBe(true);
});

test("what does not stand on a failure goes on, and a failed item fails its whole map", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const doubled = each([1, 2, 3]).map((n) => double({}, { n }));
      return { all: sum({ all: doubled.n }).n, alone: double({}, { n: 9 }, { as: "alone" }).n };
    },
  }).toGraph();
  const grown = new Growth(graph).run((task) => (task.name === "double.1" ? undefined : compute(task)));
  expect(grown.ran.toSorted()).toEqual(["alone", "double.0", "double.1", "double.2"]);
  expect(grown.skipped.map(({ name, cause }) => [name, cause])).toEqual([
    ["sum", { task: "double.1", message: "double.1 failed" }],
  ]);
  expect(grown.unfolding.finished).toBe(true);
});

test("inOrder waits although no data flows", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const later = double({}, { n: 1 }, { as: "later" });
      const first = double({}, { n: 2 }, { as: "first" });
      inOrder(first, later);
      return {};
    },
  }).toGraph();
  expect(new Growth(graph).run().ran).toEqual(["first", "later"]);
});

test("a map over a million items makes only what is asked for", () => {
  let made = 0;
  const values = new MemoryValues();
  const scan = values.file("a.png");
  const million = values.lazyDataset(1_000_000, (n) => {
    made++;
    return { image: scan, n: number(n) };
  });
  const graph = workflow({
    name: "study",
    inputs: { scans },
    build: ({ inputs }) => {
      const doubled = inputs.scans.rows().map((row) => double({}, { n: double({}, { n: row.n }).n }));
      return { all: doubled.n };
    },
  }).toGraph();
  const grown = new Growth(graph, { scans: million }, values);
  const first = Array.from({ length: 3 }, () => grown.unfolding.next() as TaskInstance);
  expect(first.map(({ name }) => name)).toEqual(["double.0", "double.1", "double.2"]);
  expect(made).toBe(3);
  grown.unfolding.succeeded(first[1] as TaskInstance, compute(first[1] as TaskInstance));
  expect(grown.unfolding.next()?.name).toBe("double-2.1");
  expect(made).toBe(3);
});

test("items whose every task waits for something outside are not there before it is", () => {
  let made = 0;
  const values = new MemoryValues();
  const count = 5000;
  const many = values.lazyDataset(count, (n) => {
    made++;
    return { image: values.file("a.png"), n: number(n) };
  });
  const graph = workflow({
    name: "study",
    inputs: { scans },
    build: ({ inputs }) => {
      const model = double({}, { n: 1 }, { as: "model" });
      const used = inputs.scans.rows().map((row) => sum({ all: [row.n, model.n] }));
      return { used: used.n };
    },
  }).toGraph();
  const grown = new Growth(graph, { scans: many }, values);
  const model = grown.unfolding.next() as TaskInstance;
  expect([model.name, grown.unfolding.next()]).toEqual(["model", undefined]);
  expect(made).toBe(0);
  grown.unfolding.succeeded(model, compute(model));
  expect(grown.run().ran).toHaveLength(count);
  expect(grown.unfolding.finished).toBe(true);
});

test("the most urgent of two fan-outs comes first, and an inner one before the outer goes on", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      each([1, 2]).map((n) => double({}, { n }, { as: "low" }));
      each([1, 2]).map((n) => each([3, 4]).map(() => double({}, { n }, { as: "high" })));
      return {};
    },
  }).toGraph();
  const rank = (id: string) => (id.endsWith("high") ? 5 : 1);
  expect(new Growth(graph, {}, undefined, rank).run().ran).toEqual([
    "high.0.0",
    "high.0.1",
    "high.1.0",
    "high.1.1",
    "low.0",
    "low.1",
  ]);
});

test("an outer fan-out goes on when the inner ones have handed out all they have", () => {
  let made = 0;
  const values = new MemoryValues();
  const rows = values.lazyDataset(1000, (n) => {
    made++;
    return { image: values.file("a.png"), n: number(n) };
  });
  const graph = workflow({
    name: "study",
    inputs: { scans },
    build: ({ inputs }) => {
      inputs.scans.rows().map((row) => each([1, 2]).map(() => double({}, { n: row.n })));
      return {};
    },
  }).toGraph();
  const grown = new Growth(graph, { scans: rows }, values);
  const steps = Array.from({ length: 4 }, () => [grown.unfolding.next()?.name, made]);
  expect(steps).toEqual([
    ["double.0.0", 1],
    ["double.0.1", 1],
    ["double.1.0", 2],
    ["double.1.1", 2],
  ]);
});

test("what stands on an unknown value is unknown, and says because of which task", () => {
  const unknown = { n: { kind: "unknown", because: "double" }, all: { kind: "unknown", because: "listed" } } as const;
  const graph = workflow({
    name: "study",
    build: () => {
      const first = double({}, { n: 1 });
      const mapped = listed({})
        .all.items()
        .map((n) => double({}, { n }, { as: "inside" }));
      const chosen = when(atLeast(first.n, 1), () => double({}, { n: 2 }, { as: "branch" }).n);
      const looped = repeat({}, () => double({}, { n: 3 }, { as: "round" }), {
        atMost: 3,
        until: ({ n }) => atLeast(n, 3),
      });
      sum({ all: mapped.n }, {}, { as: "after" });
      return { chosen, looped: looped.n };
    },
  }).toGraph();
  const grown = new Growth(graph).run((task) =>
    task.node.declaration.name === "sum" ? {} : { ...unknown, n: { kind: "unknown", because: task.name } },
  );
  expect(grown.unexpandable.map(({ node, because }) => [node.id, because])).toEqual([
    ["when:branch", "double"],
    ["map:inside", "listed"],
    ["repeat:round", "round.0"],
  ]);
  expect(grown.ran.toSorted()).toEqual(["after", "double", "listed", "round.0"]);
  expect([grown.output("chosen"), grown.output("looped")]).toEqual(["unknown", "unknown"]);
  expect(grown.unfolding.finished).toBe(true);
});
