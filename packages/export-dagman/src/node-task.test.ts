import { json, many, secret, task, workflow } from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { nodeTask } from "./node-task.ts";
import { staticPart } from "./static-part.ts";
import { double, requestFor } from "./test-export.ts";

const made = workflow({
  name: "w",
  build: () => {
    const first = double({}, { n: 1 });
    const train = task({
      name: "train",
      inputs: { all: many(json(z.number())) },
      params: z.object({ lr: z.number(), size: z.number(), name: z.string() }),
      outputs: { n: json(z.number()) },
      env: { MODE: "fast", TOKEN: secret("HUB_TOKEN") },
      command: ({ inputs, params }) => ["train", inputs.all, `--lr=${params.lr}`, params.size, params.name],
    });
    return { n: train({ all: [first.n] }, { lr: first.n, size: first.metrics.size, name: "it" }).n };
  },
});

test("what is not known leaves its place in the command, and says how it is found", async () => {
  const request = requestFor(made);
  const { tasks } = await staticPart(request);
  const told = nodeTask(tasks[1] as (typeof tasks)[1], request.context, "key");
  expect(told).toMatchObject({
    task: "train",
    argv: ["train", "\0inputs\0all\0", "--lr=\0params\0lr\0", "\0params\0size\0", "it"],
    inputs: [],
    params: { name: "it" },
    runtime: "key",
    later: {
      inputs: {
        all: { from: { list: [{ op: "output", task: "double", name: "n" }] }, how: "link", isMany: true },
      },
      params: {
        lr: { op: "output", task: "double", name: "n" },
        size: { op: "metric", task: "double", name: "size" },
      },
    },
  });
});

test("a secret is named, and has no value", async () => {
  const request = requestFor(made);
  const { tasks } = await staticPart(request);
  const told = nodeTask(tasks[1] as (typeof tasks)[1], request.context, undefined);
  expect(told.env).toEqual({ OMP_NUM_THREADS: "1", MODE: "fast" });
  expect([told.secrets, told.secretNames]).toEqual([["TOKEN"], { TOKEN: "HUB_TOKEN" }]);
});
