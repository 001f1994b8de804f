import { dataset, directory, file, fn, json, task, taskKey, workflow } from "@wf/core";
import type { KeyPart } from "@wf/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { keyPartsOf, type StagedCode, stageKeyParts } from "../key-parts.ts";
import type { Resolved } from "../resolved.ts";
import type { TaskInstance } from "../task-instance.ts";
import { Growth } from "../test-unfolding.ts";
import { MemoryValues } from "../test-value-ops.ts";
import { decide } from "./reuse.ts";

const ops = new MemoryValues();

interface Variation {
  readonly options?: object;
  readonly params?: { readonly lr?: number };
  readonly call?: object;
  readonly input?: Resolved;
  readonly code?: readonly StagedCode[];
  readonly bundle?: string;
}

const declared = {
  name: "train",
  inputs: { data: file("csv") },
  outputs: { model: file("pt") },
  params: z.object({ lr: z.number(), epochs: z.number().default(8) }),
  env: { MODE: "fast" },
};

function instanceOf({ options, params = { lr: 1 }, call = {}, input = ops.file("a.csv") }: Variation): TaskInstance {
  const train = task({
    ...declared,
    command: ({ inputs, outputs }) => ["train", inputs.data, outputs.model],
    ...(options as object),
  });
  const graph = workflow({
    name: "study",
    inputs: { data: declared.inputs.data },
    build: ({ inputs }) => ({ model: train({ data: inputs.data }, params as { lr: number }, call).model }),
  }).toGraph();
  return new Growth(graph, { data: input }, ops).unfolding.next() as TaskInstance;
}

const script: StagedCode = { name: "script", path: "code/train.py", value: ops.file("train.py") };

const bundleOf = (hash = "bundle", params = {}) => ({ hash, params });

function partsOf(variation: Variation): readonly KeyPart[] {
  const task = instanceOf(variation);
  const stage = stageKeyParts(task.node, variation.code ?? [script], bundleOf(variation.bundle));
  return keyPartsOf(task, stage, ops) ?? [];
}
const keyOf = (variation: Variation) => taskKey(partsOf(variation));

test.each<[string, Variation]>([
  ["cpus, memory, gpus and time", { options: { resources: { cpus: 8, memory: "4GB", gpus: 1, time: "2h" } } }],
  ["resources of one call", { call: { resources: { cpus: 2 } } }],
  ["the stage's name", { call: { as: "train-again" } }],
  ["retries", { options: { retries: 3 } }],
  ["the cache policy", { options: { cache: "never" } }],
  ["a parameter that is written out and equals its default", { params: { lr: 1, epochs: 8 } as never }],
  ["the workflow around a command", { bundle: "another bundle" }],
  ["the value of a secret", { options: { env: { MODE: "fast", TOKEN: { secret: "A" } } } }],
])("%s never changes a key", (_, variation) => {
  expect(keyOf(variation)).toBe(keyOf({}));
});

test.each<[string, string, Variation]>([
  ["the command", "command", { options: { command: () => ["train", "--fast"] } }],
  ["a parameter", "param lr", { params: { lr: 2 } }],
  ["an input's content", "input data", { input: ops.file("a.csv", "other") }],
  ["an input's name, which programs look at", "input data", { input: ops.file("b.csv", "a.csv") }],
  ["code", "code script", { code: [{ ...script, value: ops.file("train.py", "other") }] }],
  ["the version", "version", { options: { version: 2 } }],
  ["the environment", "env", { options: { env: { MODE: "slow" } } }],
  ["where an output lies", "outputs", { options: { outputs: { model: file("pt", { path: "m.pt" }) } } }],
  ["how many processes it has", "processes", { options: { resources: { nodes: 2 } } }],
  ["the metrics that it reports", "metrics", { options: { metrics: ["dice"] } }],
])("%s changes a key, in the part %j alone", (_, name, variation) => {
  expect(keyOf(variation)).not.toBe(keyOf({}));
  const before = new Map(partsOf({}).map((part) => [part.name, part.hash]));
  const after = new Map(partsOf(variation).map((part) => [part.name, part.hash]));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  expect(names.filter((part) => before.get(part) !== after.get(part))).toEqual([name]);
});

test("two processes are two, on one node or on two", () => {
  const made = (resources: object) => keyOf({ options: { resources } });
  expect(made({ nodes: 2 })).toBe(made({ processes: 2 }));
  expect(made({ nodes: 2 })).not.toBe(made({ nodes: 3 }));
});

test("which columns of a dataset are files is part of what a task makes", () => {
  const made = (model: object) => keyOf({ options: { outputs: { model } } });
  expect(made(dataset({ a: file() }))).not.toBe(made(dataset({ a: json(z.number()) })));
});

test("what a JSON output looks like is part of what a task makes", () => {
  const made = (schema: z.ZodType) => keyOf({ options: { outputs: { model: json(schema) } } });
  expect(made(z.object({ n: z.number() }))).toBe(made(z.object({ n: z.number() })));
  for (const other of [z.object({ n: z.number().max(9) }), z.object({ m: z.number() }), z.number()])
    expect(made(other)).not.toBe(made(z.object({ n: z.number() })));
});

test("whether an output is a file or a folder is part of what a task makes", () => {
  const made = (model: object) => keyOf({ options: { outputs: { model } } });
  expect(made(directory({ path: "made" }))).not.toBe(made(file({ path: "made" })));
});

test("the order in which metrics are declared changes no key", () => {
  const reporting = (...metrics: string[]) => keyOf({ options: { metrics } });
  expect(reporting("loss", "dice")).toBe(reporting("dice", "loss"));
});

describe("a fn", () => {
  const shape = { inputs: { x: json(z.number()) }, outputs: { y: json(z.number()) } } as const;
  const scaled = (name: string, factor: number) =>
    fn({ ...shape, name, run: ({ inputs }) => ({ y: inputs.x * factor }) });
  const twice = fn({ ...shape, name: "count", run: ({ inputs }) => ({ y: inputs.x * 2 }) });
  const next = fn({ ...shape, name: "count", run: ({ inputs }) => ({ y: inputs.x + 1 }) });
  const [half, third] = [scaled("half", 1 / 2), scaled("third", 1 / 3)];

  /** The keys of what a workflow calls, in order. */
  function keysOf(
    params: Readonly<Record<string, unknown>>,
    calls: (by: number) => readonly (typeof twice)[],
  ): string[] {
    const graph = workflow({
      name: "study",
      params: z.object({ by: z.number() }),
      inputs: { x: json(z.number()) },
      build: ({ inputs, params: { by } }) =>
        Object.fromEntries(calls(by).map((call, at) => [`y${at}`, call(inputs).y])),
    }).toGraph(params);
    const { unfolding } = new Growth(graph, { x: { kind: "json", value: 3 } }, ops);
    return Array.from(graph.nodes, () => {
      const task = unfolding.next() as TaskInstance;
      return taskKey(keyPartsOf(task, stageKeyParts(task.node, [], bundleOf("bundle", graph.params)), ops) ?? []);
    });
  }

  test("stands on the workflow's code", () => {
    const runtime = { runtime: { kind: "fn", run: () => ({}), isOfBuild: false }, command: undefined, env: undefined };
    expect(keyOf({ options: runtime, bundle: "a" })).not.toBe(keyOf({ options: runtime, bundle: "b" }));
  });

  test("is not another one that takes and makes the same", () => {
    const keys = keysOf({ by: 1 }, () => [twice, next, half, third]);
    expect(new Set(keys).size).toBe(4);
    expect(keysOf({ by: 1 }, () => [next])).not.toEqual(keysOf({ by: 1 }, () => [twice]));
    expect(keysOf({ by: 1 }, () => [twice, next, half, third])).toEqual(keys);
  });

  test("stands on the workflow's parameters where it can see them, and only there", () => {
    expect(keysOf({ by: 2 }, () => [twice, half])).toEqual(keysOf({ by: 1 }, () => [twice, half]));
    expect(keysOf({ by: 2 }, (by) => [scaled("by", by)])).not.toEqual(keysOf({ by: 1 }, (by) => [scaled("by", by)]));
  });
});

test("parts can be read: short values stand in them, long ones only as a hash", () => {
  const parts = Object.fromEntries(partsOf({ options: { version: "x".repeat(500) } }).map((part) => [part.name, part]));
  expect(parts["param lr"]?.text).toBe("1");
  expect(parts["param epochs"]?.text).toBe("8");
  expect(parts.version).toEqual({ name: "version", hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test("a long value counts to its end", () => {
  const ofVersion = (end: string) => keyOf({ options: { version: `${"x".repeat(500)}${end}` } });
  expect(ofVersion("a")).not.toBe(ofVersion("b"));
});

test("a task is reused when its key is known, unless it must not be", () => {
  const task = instanceOf({});
  const stage = stageKeyParts(task.node, [script], bundleOf());
  const result = { outputs: { model: ops.file("m.pt") }, metrics: {}, run: "r1", task: "train" };
  const known = { cached: (key: string) => (key === keyOf({}) ? result : undefined) };
  expect(decide(task, stage, known, ops, true)).toMatchObject({ action: "reuse", from: result, key: keyOf({}) });
  expect(decide(task, stage, { cached: () => undefined }, ops, true)).toMatchObject({ action: "run", because: "new" });
  expect(decide(task, stage, known, ops, false)).toMatchObject({ action: "run", because: "policy", key: keyOf({}) });
  const never = instanceOf({ options: { cache: "never" } });
  expect(decide(never, stage, known, ops, true)).toMatchObject({ action: "run", because: "policy" });
});

test("a task that reads something unknown has no key yet", () => {
  const known = { cached: () => expect.unreachable() };
  const unknown = { kind: "unknown", because: "split" } as const;
  const some = { kind: "list", count: 2, at: (index: number) => (index === 0 ? ops.file("a.csv") : unknown) } as const;
  for (const input of [unknown, some]) {
    const task = instanceOf({ input });
    const decision = decide(task, stageKeyParts(task.node, [], bundleOf()), known, ops, true);
    expect(decision).toEqual({ action: "run", key: null, parts: [], because: "upstream" });
  }
});
