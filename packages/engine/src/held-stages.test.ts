import { each } from "@wf/core";
import { expect, test } from "vitest";
import { add, ran, start } from "./test-adding.ts";

const many = () => ({
  all: each(Array.from({ length: 3000 }, (_, n) => n % 1000)).map((n) => add({ all: [] }, { n }).n),
});

test("no more than a thousand tasks come to life while their runtime is being prepared", () => {
  const run = start(many, { preparingSeconds: 60 });
  const engine = run.engine();
  while (engine.next().value !== "stored");
  expect(run.store.ofType("task.ready")).toHaveLength(1000);
  engine.next();
  expect(ran(run)).toEqual([]);
});
