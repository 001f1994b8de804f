import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { carried, directory, file, fn, json, many, optional, secret, task, totalOf, worldSize } from "./index.ts";
import { refusalsIn, type Untyped } from "./test-refusal.ts";

const path = fileURLToPath(import.meta.url);
const refusal = refusalsIn(path, readFileSync(path, "utf8"));
const declare = (options: object) => task({ name: "sort", command: () => ["sort"], ...options } as Untyped);

test.each<[string, object, string]>([
  ["an extra property", { resource: { cpus: 1 } }, 'a task has no property "resource"'],
  ["a name with a dot", { name: "sort.1" }, '"sort.1" is not a task\'s name'],
  ["a name with a slash", { name: "a/b" }, '"a/b" is not a task\'s name'],
  ["no name", { name: undefined }, "is not a task's name"],
  ["an input's wrong name", { inputs: { "a b": file() } }, '"a b" is not a name'],
  ["an output's wrong name", { outputs: { "": file() } }, '"" is not a name'],
  ["a metric's wrong name", { metrics: ["val.dice"] }, '"val.dice" is not a name'],
  ["an output called metrics", { outputs: { metrics: file() } }, 'an output cannot be called "metrics"'],
  ["an output that is many", { outputs: { all: many(file()) } }, 'output "all" is many()'],
  ["an output that is carried", { outputs: { all: carried(file()) } }, 'output "all" is carried()'],
  ["an input that is no type", { inputs: { text: "txt" } }, '"text" is no artifact type'],
  ["an output that is a schema", { outputs: { n: z.number() } }, '"n" is no artifact type'],
  ["parameters that are no object", { params: z.number() }, "params is not a z.object"],
  ["no command", { command: undefined }, "the task has no command"],
  ["an extra resource", { resources: { cores: 2 } }, 'resources has no property "cores"'],
  ["no cpus", { resources: { cpus: 0 } }, "cpus is 0"],
  ["cpus as a text", { resources: { cpus: "2" } }, "cpus is 2"],
  ["half a node", { resources: { nodes: 0.5 } }, "nodes is 0.5"],
  ["no processes", { resources: { processes: 0 } }, "processes is 0"],
  ["an unknown way to start its processes", { launch: "srun" }, 'launch is "srun"'],
  ["half a gpu", { resources: { gpus: 0.5 } }, "gpus is 0.5"],
  ["memory without a unit", { resources: { memory: "4G" } }, 'resources.memory: "4G" is not an amount of bytes'],
  ["disk without a unit", { resources: { disk: "20G" } }, 'resources.disk: "20G" is not an amount'],
  ["time without a unit", { resources: { time: "soon" } }, 'resources.time: "soon" is not a time'],
  ["no time", { resources: { time: 0 } }, "resources.time is 0"],
  ["retries below zero", { retries: -1 }, "retries is -1"],
  ["retries that are no number", { retries: "often" }, 'retries is "often"'],
  ["an unknown cache policy", { cache: "always" }, 'cache is "always"'],
  ["a version that is no value", { version: new Date(0) }, "version is no JSON value"],
])("a task with %s is refused at its line", (_, options, message) => {
  expect(refusal(() => declare(options))).toMatchObject({
    code: "WF_DECLARATION",
    message: expect.stringContaining(message),
    where: expect.stringContaining("task "),
    hint: expect.any(String),
    line: expect.stringContaining("task({"),
  });
});

test("a fn without run is refused", () => {
  expect(refusal(() => fn({ name: "best" } as Untyped))).toMatchObject({
    code: "WF_DECLARATION",
    message: "the fn has no run",
    line: expect.stringContaining('fn({ name: "best" }'),
  });
});

test.each([
  ["the same path", { a: file({ path: "model.pt" }), b: file({ path: "model.pt" }) }],
  ["a file in a folder of another", { a: directory({ path: "model" }), b: file({ path: "model/weights.pt" }) }],
  ["the folder of all defaults", { a: file({ path: "out" }), b: file("csv") }],
  ["the default path of another", { a: file({ path: "out/b.csv" }), b: file("csv") }],
])("two outputs with %s have two producers", (_, outputs) => {
  expect(refusal(() => declare({ outputs }))).toMatchObject({
    code: "WF_TWO_PRODUCERS",
    message: expect.stringContaining('"a" and "b"'),
    where: expect.stringContaining('task "sort" (study.ts:'),
  });
});

test("paths that only begin alike are two places", () => {
  const outputs = { a: file({ path: "model" }), b: file({ path: "model.pt" }), c: optional(json(z.number())) };
  expect(Object.keys(declare({ outputs }).declaration.outputs)).toEqual(["a", "b", "c"]);
});

test.each(["/etc/passwd", "../up.txt", "a/../../up.txt", "./here.txt", "a//b", "a/", ""])(
  "an output at %j leaves the task's folder",
  (place) => {
    expect(refusal(() => declare({ outputs: { a: file({ path: place }) } }))).toMatchObject({
      code: "WF_PATH_ESCAPE",
      message: expect.stringContaining('output "a"'),
      where: expect.stringContaining('task "sort" (study.ts:'),
    });
  },
);

test.each(["in/a.txt", "tmp/a", "code", "task.json"])("an output at %j would lie in wf's own place", (place) => {
  expect(refusal(() => declare({ outputs: { a: file({ path: place }) } })).code).toBe("WF_DECLARATION");
});

test("a file's format has no dot and no slash", () => {
  expect(refusal(() => file(".csv"))).toMatchObject({
    code: "WF_DECLARATION",
    line: expect.stringContaining('file(".csv")'),
  });
  expect(refusal(() => file("../csv")).code).toBe("WF_DECLARATION");
  expect(file("tar.gz").type).toEqual({ kind: "file", format: "tar.gz" });
});

test("defaults are filled in, and what was said is kept", () => {
  expect(declare({}).declaration).toMatchObject({
    resources: { nodes: 1, processes: 1, cpus: 1, memoryBytes: 0, gpus: 0, diskBytes: 0, timeLimitSeconds: null },
    launch: null,
    retries: 0,
    cache: "content",
    version: null,
    fits: false,
    at: { file: "study.ts" },
  });
  const said = { resources: { cpus: 2, memory: "4GB", gpus: 1, time: "2h" }, retries: 3, env: { TOKEN: secret("T") } };
  expect(declare(said).declaration).toMatchObject({
    resources: { cpus: 2, memoryBytes: 4e9, gpus: 1, timeLimitSeconds: 7200 },
    retries: 3,
    env: { TOKEN: { secret: "T" } },
  });
});

test("a distributed task says how many processes it has on how many nodes, and what each of them needs", () => {
  const { resources, launch } = declare({
    resources: { nodes: 2, processes: 3, cpus: 4, memory: "1GB", gpus: 1 },
    launch: "torchrun",
  }).declaration;
  expect(resources).toMatchObject({ nodes: 2, processes: 3, cpus: 4, memoryBytes: 1e9, gpus: 1 });
  expect(launch).toBe("torchrun");
  expect(worldSize(resources)).toBe(6);
  expect(totalOf(resources)).toEqual({ cpus: 24, memoryBytes: 6e9, gpus: 6 });
});
