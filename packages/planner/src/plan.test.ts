import {
  atLeast,
  carried,
  dataset,
  directory,
  each,
  file,
  fn,
  type Graph,
  json,
  repeat,
  task,
  taskKey,
  when,
  workflow,
  zip,
} from "@wf/core";
import { LOCAL_SITE } from "@wf/site";
import { expect, test } from "vitest";
import { z } from "zod";
import { keyPartsOf } from "./key-parts.ts";
import type { KnownResult } from "./passes/reuse.ts";
import { type PlannedStage, type PlanRequest, planLines, planStages } from "./plan.ts";
import { knownFrom, linesOf, planOf, requestFor } from "./test-plan.ts";
import { compute, double, listed, sum } from "./test-unfolding.ts";
import { MemoryValues } from "./test-value-ops.ts";
import { Unfolding } from "./unfolding.ts";

const clustered = {
  ...LOCAL_SITE,
  clustering: { strategy: "horizontal", tasksPerJob: 4, stages: { sum: 2 } },
} as const;
const numbers = workflow({
  name: "study",
  params: z.object({ size: z.number().default(10) }),
  build: ({ params }) => {
    const doubled = each(Array.from({ length: params.size }, (_, i) => i)).map((n) => double({}, { n }));
    return { total: sum({ all: doubled.n }).n };
  },
});

/** Remembers what an undisturbed run of the graph would have left behind. */
function remembered(graph: Graph, request: PlanRequest, only = (_task: string) => true): Map<string, KnownResult> {
  const { stages } = planStages(request);
  const results = new Map<string, KnownResult>();
  const silent = { expanded: () => {}, unexpandable: () => {}, broken: () => {}, skipped: () => {} };
  const unfolding = new Unfolding(graph, request.inputs, request.ops, silent);
  for (let task = unfolding.next(); task; task = unfolding.next()) {
    const outputs = compute(task);
    const parts = keyPartsOf(task, stages.get(task.node.id)?.keyParts ?? [], request.ops) ?? [];
    if (only(task.name)) results.set(taskKey(parts), { outputs, metrics: outputs, run: "r1", task: task.name });
    unfolding.succeeded(task, outputs, outputs);
  }
  return results;
}

test("without clustering every task is a job of its own, and names what it waits for", () => {
  const lines = planOf(requestFor(numbers.toGraph({ size: 3 })));
  const compute = linesOf(lines, "job").filter(({ kind }) => kind === "compute");
  expect(compute.map(({ job, tasks }) => [job, tasks])).toEqual([
    ["job-double.0", [{ task: "double.0", after: [] }]],
    ["job-double.1", [{ task: "double.1", after: [] }]],
    ["job-double.2", [{ task: "double.2", after: [] }]],
    ["job-sum", [{ task: "sum", after: ["double.*"] }]],
  ]);
  expect(linesOf(lines, "totals")).toEqual([
    { type: "totals", tasks: 4, run: 4, reuse: 0, jobs: 4, auxiliary: 3, expansions: 0 },
  ]);
});

test("with clustering tasks of one stage share jobs, the last of which may be smaller", () => {
  const lines = planOf(requestFor(numbers.toGraph(), { site: clustered }));
  const sizes = linesOf(lines, "job")
    .filter(({ stage }) => stage === "double")
    .map(({ tasks }) => tasks.length);
  expect(sizes).toEqual([4, 4, 2]);
  expect(linesOf(lines, "stage").map(({ stage, tasks, jobs }) => [stage, tasks, jobs])).toEqual([
    ["double", 10, 3],
    ["sum", 1, 1],
  ]);
});

test("glue in TypeScript runs beside the engine and shares no job", () => {
  const glue = fn({ name: "glue", params: z.object({ n: z.number() }), run: () => ({}) });
  const graph = workflow({
    name: "study",
    build: () => {
      each([1, 2, 3]).map((n) => glue({}, { n }));
      return {};
    },
  }).toGraph();
  const jobs = linesOf(planOf(requestFor(graph, { site: clustered })), "job");
  expect(jobs.filter(({ kind }) => kind === "compute").map(({ tasks }) => tasks.length)).toEqual([1, 1, 1]);
});

test("the first line of a plan comes without unfolding what follows", () => {
  const lines = planLines(requestFor(numbers.toGraph({ size: 1_000_000 })));
  expect(lines.next().value).toMatchObject({ type: "job", kind: "create-dir" });
  expect(lines.next().value).toMatchObject({ type: "job", kind: "stage-out", does: expect.stringContaining("total") });
});

test("what is known is reused, with where it comes from, and the rest runs and says why", () => {
  const graph = numbers.toGraph({ size: 4 });
  const request = requestFor(graph);
  const all = planOf({ ...request, known: knownFrom(remembered(graph, request)) });
  expect(linesOf(all, "totals")[0]).toMatchObject({ tasks: 5, run: 0, reuse: 5, jobs: 0 });
  expect(linesOf(all, "reuse")).toContainEqual({ type: "reuse", task: "double.3", run: "r1", from: "double.3" });

  const some = remembered(graph, request, (task) => task !== "double.2");
  const lines = planOf({ ...request, known: { ...knownFrom(some), explain: (task) => `${task} is new` } });
  expect(linesOf(lines, "reuse").map(({ task }) => task)).toEqual(["double.0", "double.1", "double.3"]);
  expect(linesOf(lines, "stage").map(({ stage, run, reuse, reasons }) => [stage, run, reuse, reasons])).toEqual([
    ["double", 1, 3, ["double.2 is new"]],
    ["sum", 1, 0, ["double runs first"]],
  ]);
  const many = numbers.toGraph({ size: 8 });
  const told = planOf({ ...requestFor(many), known: { ...knownFrom(new Map()), explain: () => "changed" } });
  expect(linesOf(told, "stage")[0]?.reasons).toEqual(["changed (5)", "others, not compared (3)"]);
  const unused = planOf({ ...request, useCache: false, known: knownFrom(remembered(graph, request)) });
  expect(linesOf(unused, "stage").map(({ reasons }) => reasons)).toEqual([
    ["the cache is not used (4)"],
    ["double runs first"],
  ]);
});

const growing = workflow({
  name: "study",
  build: () => {
    const inside = listed({})
      .all.items()
      .map((n) => sum({ all: [double({}, { n }, { as: "inner" }).n] }, {}, { as: "outer" }));
    const total = sum({ all: inside.n }, {}, { as: "total" });
    const chosen = when(atLeast(total.n, 3), () => double({}, { n: 1 }, { as: "branch" }).n);
    const looped = repeat({}, () => double({}, { n: 2 }, { as: "round" }), {
      atMost: 3,
      until: ({ n }) => atLeast(n, 3),
    });
    return { chosen, last: double({}, { n: looped.n }, { as: "last" }).n };
  },
});

test("places where the graph grows are named, with what they wait for and what may come", () => {
  const lines = planOf(requestFor(growing.toGraph()));
  const expansions = linesOf(lines, "expansion").toSorted((a, b) => (a.node < b.node ? -1 : 1));
  expect(expansions).toEqual([
    { type: "expansion", node: "map:inner", kind: "each", index: [], because: "listed", stages: ["inner", "outer"] },
    { type: "expansion", node: "repeat:round", kind: "repeat", index: [], because: "round.0", stages: ["round"] },
    { type: "expansion", node: "when:branch", kind: "when", index: [], because: "total", stages: ["branch"] },
  ]);
  const stages = Object.fromEntries(linesOf(lines, "stage").map((line) => [line.stage, line]));
  expect(stages.inner).toMatchObject({ tasks: 0, run: 0, growsAfter: ["listed"] });
  expect(stages.branch).toMatchObject({ tasks: 0, growsAfter: ["total"] });
  expect(stages.round).toMatchObject({ tasks: 1, run: 1, growsAfter: ["round.0"] });
  expect(stages.total).toMatchObject({ tasks: 1, reasons: ["listed runs first"] });
  expect(stages.last).toMatchObject({ tasks: 1, reasons: ["round runs first"] });
  expect(linesOf(lines, "totals")[0]).toMatchObject({ tasks: 4, run: 4, expansions: 3 });
});

test("when the upstream is known, a plan sees into what it decides", () => {
  const graph = growing.toGraph();
  const request = requestFor(graph);
  const lines = planOf({ ...request, known: knownFrom(remembered(graph, request, (task) => task === "listed")) });
  const stages = Object.fromEntries(linesOf(lines, "stage").map((line) => [line.stage, line]));
  expect(stages.inner).toMatchObject({ tasks: 3, run: 3, growsAfter: [] });
  const total = linesOf(lines, "job").find(({ stage }) => stage === "total");
  expect(total?.tasks).toEqual([{ task: "total", after: ["inner.*", "outer.*"] }]);
});

test("nested fan-outs and branches are named by their stages", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      const rows = each([1, 2]).map((a) => {
        const cells = each([3, 4]).map(() => double({}, { n: a }, { as: "cell" }).n);
        return sum({ all: cells }, {}, { as: "row" }).n;
      });
      return { total: sum({ all: rows }, {}, { as: "total" }).n };
    },
  }).toGraph();
  const after = new Map(
    linesOf(planOf(requestFor(graph)), "job").flatMap(({ tasks }) =>
      tasks.map((planned) => [planned.task, planned.after]),
    ),
  );
  expect(after.get("row.1")).toEqual(["cell.1.*"]);
  expect(after.get("total")).toEqual(["cell.*", "row.*"]);
});

test("what can never run is refused, and names the task", () => {
  const refusal = (resources: object) => {
    const graph = workflow({
      name: "study",
      build: () => {
        double({}, { n: 1 }, { as: "big", resources });
        return {};
      },
    }).toGraph();
    return () => planOf(requestFor(graph));
  };
  expect(refusal({ memory: "9GB" })).toThrow(
    expect.objectContaining({
      code: "WF_RESOURCES",
      message: "it asks for 9.0 GB of memory, and the site has 8.0 GB",
      where: expect.stringContaining('task "big"'),
    }),
  );
  expect(refusal({ gpus: 1 })).toThrow(expect.objectContaining({ code: "WF_RESOURCES" }));
  const stages = linesOf(refusal({ cpus: 64 })(), "stage");
  expect(stages[0]?.warnings).toEqual(["big asks for 64 cpus and gets 4, all that the site has"]);
  expect(linesOf(refusal({ cpus: 64 })(), "job").find(({ stage }) => stage)?.resources?.cpus).toBe(4);
});

test("all processes of a distributed task must fit the site together, and share no job", () => {
  const planned = (resources: object) => {
    const graph = workflow({
      name: "study",
      build: () => {
        double({}, { n: 1 }, { as: "big", resources });
        return {};
      },
    }).toGraph();
    return planOf(requestFor(graph));
  };
  expect(() => planned({ nodes: 2, processes: 2, memory: "3GB" })).toThrow(
    expect.objectContaining({ message: "it asks for 12.0 GB of memory, and the site has 8.0 GB" }),
  );
  expect(() => planned({ processes: 2, gpus: 1 })).toThrow(expect.objectContaining({ code: "WF_RESOURCES" }));
  const lines = planned({ nodes: 2, cpus: 4 });
  expect(linesOf(lines, "stage")[0]?.warnings).toEqual([
    "big, with 2 processes, asks for 8 cpus and gets 4, all that the site has",
  ]);
  const asked = linesOf(lines, "job").find(({ stage }) => stage)?.resources;
  expect(asked).toMatchObject({ nodes: 2, processes: 1, cpus: 2 });
});

test("on a cluster every node has to hold its own processes, and no more", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      double({}, { n: 1 }, { as: "big", resources: { nodes: 8, processes: 2, cpus: 2, memory: "4GB" } });
      double({}, { n: 1 }, { as: "bigger", resources: { nodes: 2, processes: 2, cpus: 4 } });
      return {};
    },
  }).toGraph();
  const request = requestFor(graph);
  const [big, bigger] = linesOf(planOf({ ...request, site: { ...request.site, backend: "slurm" } }), "stage");
  expect(big?.warnings).toEqual([]);
  expect(bigger?.warnings).toEqual(["bigger, with 2 processes, asks for 8 cpus and gets 4, all that the site has"]);
});

test("glue that makes a folder or a dataset is refused", () => {
  for (const out of [directory(), dataset({ image: file() })]) {
    const glue = fn({ name: "glue", outputs: { out }, run: () => ({ out: "" }) });
    const graph = workflow({ name: "study", build: () => ({ out: glue({}).out }) }).toGraph();
    expect(() => planOf(requestFor(graph))).toThrow(expect.objectContaining({ code: "WF_FN_SITE" }));
  }
});

test("lists of unequal length that are known now are refused at plan time", () => {
  const graph = workflow({
    name: "study",
    inputs: { a: dataset({ n: json(z.number()) }), b: dataset({ n: json(z.number()) }) },
    build: ({ inputs }) => {
      zip({ a: inputs.a.column("n"), b: inputs.b.column("n") }).map(({ a, b }) => sum({ all: [a, b] }));
      return {};
    },
  }).toGraph();
  const ops = new MemoryValues();
  const rows = (count: number) =>
    ops.dataset(Array.from({ length: count }, (_, n) => ({ n: { kind: "json", value: n } })));
  const inputs = new Map([
    ["a", rows(2)],
    ["b", rows(3)],
  ] as const);
  expect(() => planOf(requestFor(graph, { ops, inputs }))).toThrow(expect.objectContaining({ code: "WF_ZIP_LENGTH" }));
});

test("an input that travels along unread is named in the plan", () => {
  const fit = task({
    name: "fit",
    inputs: { data: file(), along: carried(file()) },
    fits: true,
    command: ({ inputs }) => ["fit", inputs.data],
  });
  const graph = workflow({
    name: "study",
    inputs: { data: file().as("train"), held: file().as("test") },
    build: ({ inputs }) => {
      fit({ data: inputs.data, along: inputs.held });
      return {};
    },
  }).toGraph();
  const ops = new MemoryValues();
  const inputs = new Map([
    ["data", ops.file("a")],
    ["held", ops.file("b")],
  ]);
  expect(linesOf(planOf(requestFor(graph, { ops, inputs })), "stage")[0]?.carried).toEqual(["along"]);
});

test("a stage is the more urgent, the longer the way from it to the end", () => {
  const graph = workflow({
    name: "study",
    build: () => {
      double({}, { n: double({}, { n: double({}, { n: 1 }, { as: "first" }).n }, { as: "second" }).n }, { as: "last" });
      return {};
    },
  }).toGraph();
  const { stages } = planStages(requestFor(graph));
  expect([...stages].map(([stage, { rank }]) => [stage, rank])).toEqual([
    ["first", 2],
    ["second", 1],
    ["last", 0],
  ]);
});

test("neither the site nor its capacity, clustering, placement or environment changes a key", () => {
  const graph = numbers.toGraph();
  const other = {
    ...clustered,
    name: "big",
    placement: "copy",
    env: { OMP_NUM_THREADS: "4" },
    python: "/opt/python3",
  } as const;
  const keyParts = (changes: Partial<PlanRequest>) =>
    [...planStages(requestFor(graph, changes)).stages].map(([stage, planned]) => [stage, planned.keyParts]);
  expect(keyParts({ site: other, capacity: { cpus: 1, memoryBytes: 1e9, gpus: 8 } })).toEqual(keyParts({}));
});

test("what a task requires of Python is part of its key; where its project lies is not", () => {
  const graph = numbers.toGraph();
  const stage = [...graph.nodes.values()].find((node) => node.kind === "task")?.id as string;
  const runtimePart = (
    wish: { requirements: string[]; requiresPython: string | null; project: string } | undefined,
  ) => {
    const wishes = new Map(wish === undefined ? [] : [[stage, wish]]);
    const { keyParts } = planStages(requestFor(graph, { wishes })).stages.get(stage) as PlannedStage;
    return keyParts.find(({ name }) => name === "runtime");
  };
  const wish = { requirements: ["numpy>=1.21"], requiresPython: ">=3.9", project: "/a" };
  expect(runtimePart(wish)?.text).toContain("numpy>=1.21");
  expect(runtimePart({ ...wish, project: "/b" })).toEqual(runtimePart(wish));
  const others = [undefined, { ...wish, requirements: ["numpy>=1.22"] }, { ...wish, requiresPython: null }];
  for (const other of others) expect(runtimePart(other)?.hash).not.toBe(runtimePart(wish)?.hash);
});
