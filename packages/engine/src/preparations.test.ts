import type { RuntimePreparer } from "@wf/backend";
import { WfError } from "@wf/protocol";
import { until } from "@wf/testing";
import { expect, test } from "vitest";
import { add, afterTwoTurns, ready, runtime, setUpEngine } from "./test-engine.ts";

const pair = () => ({ a: add({ all: [] }, {}, { as: "plain" }).n, b: add({ all: [] }, {}, { as: "needy" }).n });

test("a runtime is prepared once, while tasks that need none run; theirs get its folder on PATH", async () => {
  const log: string[] = [];
  let finish: (() => void) | undefined;
  const preparer: RuntimePreparer = {
    ...ready,
    find: async () => null,
    prepare: (_wish, onProgress) => {
      log.push("prepare");
      onProgress({ says: "builds", percent: 50 });
      return new Promise((resolve) => {
        finish = () => resolve(runtime);
      });
    },
  };
  const both = () => ({ ...pair(), c: add({ all: [] }, {}, { as: "needy2" }).n });
  const { engine, backend, memory } = setUpEngine(both, { preparer }, ["needy", "needy2"]);
  const paths = new Map<string, unknown>();
  const submit = backend.submit.bind(backend);
  backend.submit = async (jobs) => {
    for (const { attempt, path } of jobs.flatMap(({ tasks }) => tasks)) paths.set(attempt, path);
    await submit(jobs);
  };
  const ended = engine.run();
  await until("the end of plain", () => memory.ends().plain === "done");
  expect(memory.ends()).toEqual({ plain: "done" });
  expect(paths).toEqual(new Map([["plain@1", undefined]]));
  finish?.();
  expect(await ended).toBe("succeeded");
  expect(log).toEqual(["prepare"]);
  expect(paths.get("needy@1")).toEqual([runtime.bin]);
  expect(paths.get("needy2@1")).toEqual([runtime.bin]);
  expect(memory.ofType("runtime.preparing")).toMatchObject([{ stage: "needy", says: "builds", percent: 50 }]);
  expect(memory.ofType("runtime.ready")).toMatchObject([{ runtime: "k", how: "venv", wasReady: false }]);
});

test("a runtime that cannot be had lets what runs end, and then ends the run with its reason", async () => {
  const error = new WfError("WF_RUNTIME_UNAVAILABLE", "no numpy");
  let fail: (() => void) | undefined;
  const prepare = () =>
    new Promise<never>((_, reject) => {
      fail = () => reject(error);
    });
  const preparer: RuntimePreparer = { ...ready, find: async () => null, prepare };
  const { engine, backend, log, memory } = setUpEngine(pair, { preparer }, ["needy"]);
  backend.held.add("plain@1");
  const ended = engine.run();
  await until("the submission of plain@1", () => log.includes("submit plain@1"));
  backend.tell({ type: "started", attempt: "plain@1", startedAt: 0 });
  await until("the start of plain", () => memory.ofType("attempt.started").length === 1);
  fail?.();
  await afterTwoTurns();
  backend.finish("plain@1");
  await expect(ended).rejects.toBe(error);
  expect(memory.ends()).toEqual({ plain: "done" });
  expect(log).not.toContain("submit needy@1");

  const again = setUpEngine(pair, { memory }, ["needy"]);
  expect(await again.engine.run()).toBe("succeeded");
  expect(memory.ofType("runtime.ready")).toMatchObject([{ wasReady: true }]);
});

test("stopping ends a preparation, and known results need none", async () => {
  let isStopped = false;
  const endless: RuntimePreparer = {
    ...ready,
    find: async () => null,
    prepare: (_wish, _onProgress, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          isStopped = true;
          reject(signal.reason);
        });
      }),
  };
  const { engine, memory } = setUpEngine(pair, { preparer: endless }, ["needy"]);
  const ended = engine.run();
  await until("the end of plain", () => memory.ends().plain === "done");
  expect(memory.ends()).toEqual({ plain: "done" });
  engine.drain();
  expect(await ended).toBe("stopped");
  await until("the end of the preparation", () => isStopped);

  const resumed = setUpEngine(pair, { memory }, ["needy"]);
  expect(await resumed.engine.run()).toBe("succeeded");
  const replayed = setUpEngine(pair, { memory, preparer: endless }, ["needy"]);
  expect(await replayed.engine.run()).toBe("succeeded");
});
