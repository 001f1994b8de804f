import { workflow } from "@wf/core";
import { expect, test } from "vitest";
import type { AdoptedAttempt } from "./adoption.ts";
import { advance } from "./advance.ts";
import type { FinishedEvent, RunEvent } from "./effects.ts";
import { RunMachine } from "./run-machine.ts";
import { add } from "./test-adding.ts";
import { runSettings } from "./test-run.ts";
import { testRecord } from "./test-site.ts";
import { TestStore } from "./test-store.ts";

const graph = workflow({
  name: "study",
  build: () => ({ n: add({ all: [add({ all: [] }, {}, { as: "first" }).n] }, {}, { as: "second" }).n }),
}).toGraph();

const wake: RunEvent = { type: "wake", nowMs: 0 };

function succeeded(attempt: string): FinishedEvent {
  const record = testRecord({ attempt }, { outputs: { n: 1 } });
  return { type: "finished", attempt, record, isProvisional: true, nowMs: 0 };
}

function revoked(attempt: string): RunEvent {
  const record = testRecord({ task: "first", attempt }, { failure: "node-failed" });
  return { type: "revoked", attempt, record, nowMs: 0 };
}

class Run {
  readonly store = new TestStore();
  readonly #options = { ...runSettings(graph, {}), memory: this.store };
  #machine = new RunMachine(this.#options);

  hear(...events: readonly RunEvent[]) {
    const { machine, effects } = advance(this.#machine, this.#options, events, (fact) => this.store.note([fact]));
    this.#machine = machine;
    this.store.note(effects.facts);
    return effects;
  }

  /** Another engine takes the run over. */
  resume(...adopted: readonly AdoptedAttempt[]): void {
    this.#machine = new RunMachine(this.#options, adopted);
  }
}

/** The run has gone on from the success of `first`, whose verdict is not there yet. */
function provisional(): Run {
  const run = new Run();
  run.hear(wake);
  run.hear(succeeded("first@1"));
  return run;
}

test("a success that is told again together with its verdict is revoked", () => {
  const run = provisional();
  run.hear(succeeded("first@1"), revoked("first@1"));
  expect(run.store.ofType("attempts.confirmed")).toEqual([]);
  expect(run.store.ofType("task.revoked").map(({ record }) => record.attempt)).toEqual(["first@1"]);
  expect(run.store.ofType("task.retry").map(({ attempt }) => attempt)).toEqual(["first@1"]);
});

test("the same in a resumed run, which is told of both at once", () => {
  const run = provisional();
  run.resume();
  run.hear(wake, succeeded("first@1"), revoked("first@1"));
  expect(run.store.ofType("attempts.confirmed")).toEqual([]);
  expect(run.store.ofType("task.revoked").map(({ record }) => record.attempt)).toEqual(["first@1"]);
});

test("a success that is told again after its verdict does not count", () => {
  const run = provisional();
  run.hear(revoked("first@1"), succeeded("first@1"));
  expect(run.store.provisionalSuccesses()).toEqual([]);
  expect(run.store.ofType("task.retry").map(({ attempt }) => attempt)).toEqual(["first@1"]);
});

test("a verdict that is told twice at once revokes once", () => {
  const run = provisional();
  run.hear(revoked("first@1"), revoked("first@1"));
  expect(run.store.ofType("task.revoked")).toHaveLength(1);
});

test("a run that is cancelled before all verdicts are there has not succeeded", () => {
  const run = provisional();
  run.hear({ type: "cancel" });
  expect(run.hear(succeeded("second@1")).ended).toBe("cancelled");
  run.resume();
  expect(run.hear(wake, { type: "confirmed", attempts: ["first@1", "second@1"] }).ended).toBe("succeeded");
});

test("what an earlier engine had ended is started over, also when the run is rewound in the same turn", () => {
  const run = provisional();
  run.resume({ task: "second", attempt: "second@1", number: 1, isUnderWay: true, isInherited: true });
  run.hear(wake);
  const cancelled = testRecord({ attempt: "second@1" }, { failure: "cancelled" });
  run.hear({ type: "finished", attempt: "second@1", record: cancelled, nowMs: 0 }, revoked("first@1"));
  run.hear({ type: "wake", nowMs: 10_000 });
  run.hear(succeeded("first@2"));
  expect(run.store.ends()).toEqual({ first: "done" });
  expect(run.store.openAttempts().map(({ attempt }) => attempt)).toEqual(["second@2"]);
});
