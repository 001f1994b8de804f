import { rmSync } from "node:fs";
import type { DirectoryValue, Value } from "@wf/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { memoryOf } from "../executing/memory.ts";
import { finished, lifeOf, step } from "../testing/facts.ts";
import { part, readyWith, StoreFixture } from "../testing/store-fixture.ts";
import { isThere, knownTo } from "./known-results.ts";

let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

const everything = () => true;
const file = (text: string) => fixture.objects.putBytes(Buffer.from(text), "a.txt");
function folder(): DirectoryValue {
  const { hash, size } = file("inside");
  const entries = [{ path: "a.txt", hash, size }];
  return { kind: "directory", hash: fixture.objects.writeManifest({ kind: "directory", entries }), size, files: 1 };
}

it("takes a result only where all of its content is there", () => {
  const inside = file("inside").hash;
  const outputs: Record<string, Value> = {
    model: file("model"),
    all: { kind: "list", items: [folder()] },
    none: { kind: "absent" },
  };
  expect(isThere(fixture.objects, outputs, everything)).toBe(true);
  expect(isThere(fixture.objects, outputs, (hash) => hash !== file("model").hash)).toBe(false);
  expect(isThere(fixture.objects, outputs, (hash) => hash !== inside)).toBe(false);
});

it("takes no folder whose list of files is gone", () => {
  const made = folder();
  rmSync(fixture.objects.path(made.hash));
  expect(isThere(fixture.objects, { made }, everything)).toBe(false);
});

const task = step("train");
const data = { name: "input data", hash: "a".repeat(64) };
const parts = [part("param lr", 0.1), data];

/** A run in which `train` has made a model, and reported a metric. */
function trained(): { readonly run: string; readonly key: string } {
  const run = fixture.begin({ stages: ["train"] });
  const ready = readyWith(task, parts);
  const { key } = ready as { key: string };
  const outputs = { model: file("model") };
  const [, ...life] = lifeOf(task, 1, { run, outputs, metrics: [{ dice: 0.5 }] });
  fixture.note(run, [ready, ...life.map((fact) => (fact.type === "task.ended" ? { ...fact, key } : fact))]);
  return { run, key };
}

it("recalls what a task of the run made, and what stands for a key, as long as it is there", () => {
  const { run, key } = trained();
  const result = {
    outputs: { model: file("model") },
    metrics: { dice: { kind: "json", value: 0.5 } },
    run,
    task: "train",
  };
  const memory = (isKept: () => boolean) => memoryOf(run, fixture.store.memory(run), fixture.objects, isKept);
  const known = (isKept: () => boolean) => knownTo(fixture.store, fixture.objects, "demo", isKept);
  expect(memory(everything).recall("train")).toEqual(result);
  expect(memory(everything).cached(key)).toEqual(result);
  expect(known(everything).cached(key)).toEqual(result);
  const nothing = () => false;
  expect([memory(nothing).recall("train"), memory(nothing).cached(key), known(nothing).cached(key)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("recalls nothing of a task that failed but why", () => {
  const run = fixture.begin({ stages: ["train"] });
  const cause = { root: "train", message: "exit status 3" };
  const failure = { class: "exit", message: cause.message } as const;
  const [ready, job, attempt, started] = lifeOf(task, 1, { run });
  const ended = { type: "task.ended", ...task, state: "failed", cause } as const;
  fixture.note(
    run,
    [ready, job, attempt, started, finished(task, { run, failure }), ended].flatMap((fact) => fact ?? []),
  );
  const memory = memoryOf(run, fixture.store.memory(run), fixture.objects, everything);
  expect(memory.recall("train")).toBe(undefined);
  expect(memory.failureOf("train")).toEqual(cause);
});

it("says how a task differs from the one of the same name that ran before", () => {
  trained();
  const { explain } = knownTo(fixture.store, fixture.objects, "demo", everything);
  expect(explain?.("train", "train", [part("param lr", 0.2), { ...data, hash: "b".repeat(64) }])).toBe(
    "param lr: 0.1 -> 0.2, input data changed",
  );
  expect(explain?.("train", "train", parts)).toBe("its result is no longer in the store");
  expect(explain?.("train.7", "train", parts)).toBe("never ran before");
});
