import type { PreparedRuntime } from "@wf/backend";
import { dataset, directory, file, type Graph, json, many, optional, secret, task, workflow } from "@wf/core";
import {
  itemsOf,
  type PlannedStage,
  placeFiles,
  planStages,
  type Resolved,
  type TaskInstance,
  Unfolding,
} from "@wf/planner";
import { TaskSpec, type Value } from "@wf/protocol";
import { LOCAL_SITE, type Placement } from "@wf/site";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Checkpoint } from "./slices.ts";
import { type SpecContext, taskSpec } from "./task-spec.ts";
import { jsonOps } from "./test-run.ts";

const hash = "0".repeat(64);
const scan = (name: string): Value => ({ kind: "file", hash, size: 1, name });
const context: SpecContext = {
  artifacts: {
    keep: (value: Resolved): Value => {
      if (value.kind === "list") return { kind: "list", items: itemsOf(value).map((item) => item as Value) };
      return value.kind === "json" ? { ...value, hash, size: 1 } : (value as Value);
    },
  },
  placement: placeFiles("shared"),
  siteEnv: { OMP_NUM_THREADS: "1", MODE: "site" },
  python: "/opt/python3",
  sandboxOf: (attempt) => `/site/runs/r/${attempt}`,
  secret: (name) => `value of ${name}`,
};

/** The first task of a workflow as its attempt is handed to the launcher; the launcher's own schema has the last word. */
function specOf(
  made: { toGraph(): Graph },
  inputs: Readonly<Record<string, Resolved>>,
  runtime?: PreparedRuntime,
  checkpoint: Checkpoint | null = null,
  placement: Placement = "shared",
): TaskSpec {
  const graph = made.toGraph();
  const code = {
    name: "script",
    path: "code/train.py",
    value: { kind: "file", hash, size: 1, name: "train.py" },
  } as const;
  const { stages } = planStages({
    graph,
    site: LOCAL_SITE,
    capacity: null,
    code: new Map([["train", [code]]]),
    bundleHash: "b",
  });
  const silent = { expanded: () => {}, unexpandable: () => {}, broken: () => {}, skipped: () => {} };
  const task = new Unfolding(graph, new Map(Object.entries(inputs)), jsonOps, silent).next() as TaskInstance;
  const stage = stages.get("train") as PlannedStage;
  return TaskSpec.parse(
    taskSpec(
      { task, attempt: "train@1", stage, checkpoint },
      { ...context, placement: placeFiles(placement) },
      runtime,
    ),
  );
}

const everything = workflow({
  name: "study",
  inputs: { scan: file("png"), mask: file("png"), folder: directory() },
  build: ({ inputs }) => {
    const train = task({
      name: "train",
      inputs: {
        image: file("png"),
        all: many(file("png")),
        folder: directory(),
        start: optional(file("pt")),
      },
      outputs: {
        model: file("pt"),
        best: json(z.number()),
        rows: dataset({ image: file("png"), label: json(z.string()) }),
        notes: optional(file("txt", { path: "log/notes.txt" })),
      },
      params: z.object({ lr: z.number(), tags: z.array(z.string()), seed: z.number().optional() }),
      code: { script: "./train.py" },
      env: { MODE: "fast", TOKEN: secret("MY_TOKEN") },
      resources: { cpus: 2, memory: "1GB", gpus: 1, time: "1h" },
      command: ({ inputs: given, outputs, params, code }) => [
        "train",
        code.script,
        given.image,
        given.all,
        `--from=${given.folder}`,
        given.start,
        params.tags,
        params.seed,
        `--lr=${params.lr}`,
        outputs.model,
        outputs.best,
        outputs.rows,
        outputs.notes,
      ],
    });
    const made = train(
      { image: inputs.scan, all: [inputs.scan, inputs.mask], folder: inputs.folder },
      { lr: 0.1, tags: ["a", "b c"] },
    );
    return { model: made.model };
  },
});
const inputs = {
  scan: scan("a b.png") as Resolved,
  mask: scan("m.png") as Resolved,
  folder: { kind: "directory", hash, size: 1, files: 1 } as const,
};

test.each([
  ["shared", "link"],
  ["copy", "copy"],
  ["transfer", "link"],
] as const)("on a site with placement %s, code and inputs come as a %s", (placement, how) => {
  const given = specOf(everything, inputs, undefined, null, placement).inputs;
  expect(given.map(({ name }) => name)).toEqual(["code script", "image", "all", "folder"]);
  expect(new Set(given.map((input) => input.how))).toEqual(new Set([how]));
});

test("names become paths in the sandbox and values, and nothing is left to decide", () => {
  expect(specOf(everything, inputs).argv).toEqual([
    "train",
    "code/train.py",
    "in/image/a b.png",
    "in/all/000000/a b.png",
    "in/all/000001/m.png",
    "--from=in/folder",
    "a",
    "b c",
    "--lr=0.1",
    "out/model.pt",
    "out/best.json",
    "out/rows",
    "log/notes.txt",
  ]);
});

test("what is staged, what is expected and what is asked for stand in the spec", () => {
  const spec = specOf(everything, inputs);
  expect(spec.inputs.map(({ name, path, how }) => [name, path, how])).toEqual([
    ["code script", "code/train.py", "link"],
    ["image", "in/image/a b.png", "link"],
    ["all", "in/all", "link"],
    ["folder", "in/folder", "link"],
  ]);
  expect(spec.outputs).toEqual([
    { name: "model", path: "out/model.pt", kind: "file" },
    { name: "best", path: "out/best.json", kind: "json" },
    { name: "rows", path: "out/rows", kind: "dataset", columns: { image: "file", label: "value" } },
    { name: "notes", path: "log/notes.txt", kind: "file", optional: true },
  ]);
  expect(spec).toMatchObject({ task: "train", cpus: 2, memoryBytes: 1e9, gpus: 1, timeLimitSeconds: 3600 });
  expect(spec.params).toEqual({ lr: 0.1, tags: ["a", "b c"] });
});

test("a task gets the site's variables, its own over them, and its secrets by value, which are named as such", () => {
  const { env, secrets } = specOf(everything, inputs);
  expect(secrets).toEqual(["TOKEN"]);
  expect(env).toEqual({ OMP_NUM_THREADS: "1", MODE: "fast", TOKEN: "value of MY_TOKEN" });
});

test("python is the site's interpreter, and finds the project's code", () => {
  const python = workflow({
    name: "study",
    build: () => {
      const train = task({
        name: "train",
        outputs: { model: file() },
        runtime: { kind: "python", project: "./src" },
        command: ({ outputs }) => ["python", "-m", "train", outputs.model],
      });
      return { model: train({}).model };
    },
  });
  const { argv, env } = specOf(python, {});
  expect(argv).toEqual(["/opt/python3", "-m", "train", "out/model"]);
  expect(env.PYTHONPATH).toBe("/site/runs/r/train@1/code/project");

  const bin = "/site/runtimes/k/bin";
  const runtime = {
    key: "k",
    how: "found",
    interpreter: "/usr/bin/python3",
    bin,
    python: "3.11",
    packages: {},
  } as const;
  const prepared = specOf(python, {}, runtime);
  expect(prepared).toMatchObject({ argv: ["python", "-m", "train", "out/model"], path: [bin] });
});

test("a plain command called python is left as it is", () => {
  const plain = workflow({
    name: "study",
    build: () => ({ model: task({ name: "train", outputs: { model: file() }, command: () => ["python3"] })({}).model }),
  });
  expect(specOf(plain, {}).argv).toEqual(["python3"]);
});

test("a distributed task says how its ranks lie, and counts what all of them need", () => {
  const made = (resources: object, launch?: "torchrun") =>
    workflow({
      name: "study",
      build: () => {
        task({ name: "train", command: () => ["train"], resources, ...(launch ? { launch } : {}) })({});
        return {};
      },
    });
  const needs = { cpus: 2, memory: "1GB", gpus: 1 };
  expect(specOf(made(needs), {})).not.toHaveProperty("ranks");
  expect(specOf(made({ ...needs, nodes: 2, processes: 3 }, "torchrun"), {})).toMatchObject({
    ranks: { nodes: 2, perNode: 3, launch: "torchrun" },
    cpus: 12,
    memoryBytes: 6e9,
    gpus: 6,
  });
});

test("a resumable task is told in time, and begins with what an earlier slice has left", () => {
  const resumable = (resources: object, resumable: object) =>
    workflow({
      name: "study",
      build: () => {
        const train = task({
          name: "train",
          outputs: { state: file("pt") },
          command: ({ outputs }) => ["train", outputs.state],
          resources,
          resumable: { checkpoint: "state", ...resumable },
        });
        return { state: train({}).state };
      },
    });
  const left = { kind: "file", hash, size: 3, name: "state.pt" } as const;
  expect(specOf(resumable({ time: "10m" }, {}), {})).toMatchObject({
    checkpoint: { output: "state" },
    warnSeconds: 60,
  });
  expect(specOf(resumable({ time: "10s" }, {}), {}).warnSeconds).toBe(2);
  expect(specOf(resumable({ time: "1h" }, { warn: "5m" }), {}).warnSeconds).toBe(300);
  expect(specOf(resumable({}, {}), {}).warnSeconds).toBe(0);
  expect(specOf(resumable({}, {}), {}, undefined, left).checkpoint).toEqual({ output: "state", from: left });
});
