import { isPlainName, type Value } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addStage, file, newRun, record, runStep, sha256, testFolder, testStore } from "./facts.fixture.ts";
import type { RunJournal } from "./run-journal.ts";
import type { Metrics, TaskState } from "./states.ts";
import type { Store } from "./store.ts";

const text = fc.string({ unit: "grapheme", maxLength: 8 }).filter((name) => name !== "__proto__");
const hash = fc.nat({ max: 30 }).map((n) => sha256(`content ${n}`));
const size = fc.nat();
const leaf: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ kind: fc.constant("file" as const), hash, size, name: text.filter(isPlainName) }),
  fc.record({ kind: fc.constant("directory" as const), hash, size, files: size }),
  fc.record({ kind: fc.constant("dataset" as const), hash, size, files: size, rows: size }),
  fc.record({ kind: fc.constant("json" as const), hash, size, value: fc.constantFrom(null, 1, "x", [true], { a: 1 }) }),
  fc.record({ kind: fc.constant("absent" as const) }),
);
const value = fc.oneof(
  leaf,
  fc.record({ kind: fc.constant("list" as const), items: fc.array(leaf, { maxLength: 3 }) }),
);
const outputs = fc.dictionary(text, value, { maxKeys: 2, noNullPrototype: true });
const metric = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), text, fc.boolean(), fc.constant(null));
const line = fc.dictionary(text, metric, { maxKeys: 2, noNullPrototype: true });

const command = fc.record({
  act: fc.constantFrom("ready", "submit", "start", "succeed", "fail", "end", "remember"),
  task: fc.constantFrom("t0", "t[1]", "däta\n'3'"),
  key: fc.constantFrom(sha256("k"), sha256("l")),
  outputs,
  lines: fc.array(line, { maxLength: 2 }),
  state: fc.constantFrom("done", "cached", "failed", "cancelled"),
  isUndone: fc.boolean(),
});
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

interface ModelTask {
  state: TaskState;
  outputs: Record<string, Value>;
  metrics: Metrics;
  failures: number;
  attempts: number;
  isOpen: boolean;
}

/** Of every name the last value but null, which takes nothing back. */
function lastKnown(lines: Command["lines"]): Metrics {
  const all = lines.flatMap((line) => Object.entries(line));
  return Object.fromEntries([
    ...all.filter(([, value]) => value === null),
    ...all.filter(([, value]) => value !== null),
  ]);
}

/** What an engine that wrote the facts down on paper would know. */
class Model {
  readonly tasks = new Map<string, ModelTask>();
  readonly cache = new Map<string, string>();

  isLegal({ act, task }: Command): boolean {
    const known = this.tasks.get(task);
    if (act === "ready") return known === undefined;
    if (known === undefined) return false;
    const isFinal = !["ready", "submitted", "running"].includes(known.state);
    if (act === "remember") return known.state === "done";
    if (isFinal) return false;
    if (act === "submit") return !known.isOpen;
    if (act === "end") return !known.isOpen;
    return known.isOpen;
  }

  apply({ act, task, key, outputs, lines, state }: Command): void {
    const fresh = { state: "ready" as const, outputs: {}, metrics: {}, failures: 0, attempts: 0, isOpen: false };
    const known: ModelTask = this.tasks.get(task) ?? fresh;
    this.tasks.set(task, known);
    if (act === "submit") Object.assign(known, { state: "submitted", attempts: known.attempts + 1, isOpen: true });
    if (act === "start") known.state = "running";
    if (act === "succeed") {
      known.isOpen = false;
      if (lines.length > 0) known.metrics = lastKnown(lines);
    }
    if (act === "fail") Object.assign(known, { state: "ready", failures: known.failures + 1, isOpen: false });
    if (act === "end") Object.assign(known, { state, outputs });
    if (act === "remember") this.cache.set(key, task);
  }
}

function tell(journal: RunJournal, model: Model, { act, task, key, outputs, lines, state }: Command): void {
  const number = model.tasks.get(task)?.attempts ?? 0;
  const attempt = `${task}#${number}`;
  if (act === "ready") journal.taskReady({ task, stage: "s", index: [], key, parts: [], inputs: [] });
  if (act === "submit") {
    const next = { task, attempt: `${task}#${number + 1}`, job: `${task} ${number + 1}`, number: number + 1 };
    journal.jobSubmitted({ job: next.job, kind: "compute", tasks: 1, resources: {} });
    journal.attemptSubmitted(next);
  }
  if (act === "start") journal.attemptStarted({ attempt, startedAt: 1 });
  if (act === "succeed") journal.attemptFinished(record({ task, attempt, metrics: lines }));
  if (act === "fail") {
    const failure = { class: "exit" as const, message: "" };
    journal.attemptFinished(record({ task, attempt, state: "failed", failure }));
  }
  if (act === "end") journal.taskEnded({ task, state: state as "done", outputs });
  if (act === "remember") journal.remember(key, { task });
}

/** The same outputs, as the rows of the provenance tell them. */
function artifactsOf(store: Store, run: string, task: string): unknown {
  const { rows } = store.query(
    `SELECT output, kind, iif(kind = 'list', NULL, hash) FROM output
     WHERE run = '${run}' AND task = '${task.replaceAll("'", "''")}'`,
  );
  return new Map(rows.map(([output, kind, hash]) => [output, [kind, hash]]));
}

function hashesOf(outputs: Record<string, Value>): unknown {
  return new Map(
    Object.entries(outputs).map(([name, value]) => {
      if (value.kind === "absent") return [name, [null, null]];
      return [name, [value.kind, value.kind === "list" ? null : value.hash]];
    }),
  );
}

function compare(store: Store, model: Model, run: string): void {
  const memory = store.memory(run);
  const plain = (known: unknown) => JSON.parse(JSON.stringify(known));
  for (const [name, { state, outputs, metrics, failures, attempts }] of model.tasks) {
    expect(memory.task(name)).toEqual(plain({ state, outputs, metrics, cause: null }));
    expect(artifactsOf(store, run, name)).toEqual(hashesOf(outputs));
    expect(memory.attemptsOf(name)).toBe(attempts);
    expect(memory.failuresOf(name)).toEqual(Array(failures).fill("exit"));
  }
  const open = [...model.tasks].filter(([, { isOpen }]) => isOpen).map(([name]) => name);
  expect(
    memory
      .openAttempts()
      .map(({ task }) => task)
      .sort(),
  ).toEqual(open.sort());
  for (const [key, task] of model.cache) {
    const { outputs, metrics } = model.tasks.get(task) as ModelTask;
    expect(memory.cached(key)).toEqual(plain({ outputs, metrics, run, task }));
  }
}

test("what was journalled is what memory answers, whatever was undone, also in a new process", () => {
  const folder = testFolder();
  const store = testStore({}, folder);
  const later = testStore({}, folder);
  fc.assert(
    fc.property(fc.array(command, { minLength: 20, maxLength: 80 }), (commands) => {
      for (const { run: earlier } of store.runs()) store.deleteRun(earlier);
      const run = store.createRun(newRun());
      const journal = store.journal(run);
      addStage(journal, "s");
      const model = new Model();
      for (const command of commands) {
        if (!model.isLegal(command)) continue;
        if (command.isUndone) {
          const undone = () =>
            journal.atomically(() => {
              tell(journal, model, command);
              throw new Error("undone");
            });
          expect(undone).toThrow("undone");
        } else {
          tell(journal, model, command);
          model.apply(command);
        }
      }
      compare(store, model, run);
      compare(later, model, run);
    }),
    cases(60),
  );
});

test("a key stands for nothing until its task has a result", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "s");
  journal.taskReady({ task: "s", stage: "s", index: [], key: "k", parts: [], inputs: [] });
  journal.remember("k", { task: "s" });
  expect(store.cached("k")).toBeUndefined();
  journal.taskEnded({ task: "s", state: "done", outputs: { out: file("o") } });
  expect(store.cached("k")).toEqual({ outputs: { out: file("o") }, metrics: {}, run, task: "s" });
});

test("a cached task has the metrics of the task that it was cached from, and the entry counts as used", () => {
  let now = 100;
  const store = testStore({ now: () => now });
  const first = store.createRun(newRun());
  const journal = store.journal(first);
  addStage(journal, "s");
  const metrics = [{ loss: 2, epoch: 1 }, { loss: 1 }];
  const key = runStep(journal, { stage: "s", outputs: { out: file("o") }, record: { metrics } });

  now = 200;
  const second = store.createRun(newRun());
  const again = store.journal(second);
  addStage(again, "s");
  const hit = store.memory(second).cached(key);
  expect(hit).toEqual({ outputs: { out: file("o") }, metrics: { loss: 1, epoch: 1 }, run: first, task: "s" });
  again.taskReady({ task: "s", stage: "s", index: [], key, parts: [], inputs: [] });
  again.taskEnded({ task: "s", state: "cached", outputs: hit?.outputs, cachedFrom: { run: first, task: "s" } });
  expect(store.memory(second).task("s")?.metrics).toEqual({ loss: 1, epoch: 1 });
  expect(store.task(second, "s").cachedFrom).toEqual({ run: first, task: "s" });
  again.runFinished({ status: "succeeded", outputs: {}, metrics: {}, error: null });
  expect(store.query("SELECT created_at, last_used_at FROM cache").rows).toEqual([[100, 200]]);
});

test("a metric may have the name of what every object has, and be unknown", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "s");
  runStep(journal, {
    stage: "s",
    outputs: {},
    record: { metrics: [{ toString: null, valueOf: 1 }, { valueOf: null }] },
  });
  expect(Object.entries(store.memory(run).task("s")?.metrics ?? {})).toEqual([
    ["toString", null],
    ["valueOf", 1],
  ]);
});

test("an expansion is remembered by node and path", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  store.journal(run).expanded({ node: "each", path: [2, 0], count: 7, source: sha256("manifest") });
  expect(store.memory(run).expansion("each", [2, 0])).toEqual({ count: 7, source: sha256("manifest") });
  expect(store.memory(run).expansion("each", [2])).toBeUndefined();
});

test("a store that holds still sees nothing of what others write meanwhile", () => {
  const folder = testFolder();
  const writer = testStore({}, folder);
  const reader = testStore({}, folder);
  reader.holdStill();
  expect(reader.hasNoResults).toBe(true);
  const journal = writer.journal(writer.createRun(newRun()));
  addStage(journal, "s");
  runStep(journal, { stage: "s", outputs: { out: file("o") } });
  expect(writer.hasNoResults).toBe(false);
  expect(reader.hasNoResults).toBe(true);
});

test("the memory that accounting counted for a task is that of jobs which carried it alone, the largest", () => {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "s");
  for (const task of ["alone", "one", "other"]) {
    const parts = [{ name: "command", hash: sha256(task), text: task }];
    journal.taskReady({ task, stage: "s", index: [], key: sha256(task), parts, inputs: [] });
  }
  const attempt = (task: string, number: number, job: string, peakMemoryBytes: number | null) => {
    const name = `${task}@${number}`;
    journal.jobSubmitted({ job, kind: "compute", tasks: 1, resources: { cpus: 1 } });
    journal.attemptSubmitted({ task, attempt: name, job, number });
    journal.attemptQueued({ task, attempt: name, queueJob: job });
    if (peakMemoryBytes !== null) journal.jobAccounted(job, { ...UNKNOWN, peakMemoryBytes });
  };
  const accountedMemoryOf = (task: string) => store.memory(run).accountedMemoryOf(task);
  expect(accountedMemoryOf("alone")).toBeNull();
  attempt("alone", 1, "1", 300);
  attempt("alone", 2, "2", 200);
  attempt("alone", 3, "3", null);
  expect(accountedMemoryOf("alone")).toBe(300);
  journal.jobSubmitted({ job: "4", kind: "compute", tasks: 2, resources: { cpus: 1 } });
  for (const task of ["one", "other"]) {
    journal.attemptSubmitted({ task, attempt: `${task}@1`, job: "4", number: 1 });
    journal.attemptQueued({ task, attempt: `${task}@1`, queueJob: "4" });
  }
  journal.jobAccounted("4", { ...UNKNOWN, peakMemoryBytes: 900 });
  expect(accountedMemoryOf("one")).toBeNull();
});

const UNKNOWN = {
  state: "OUT_OF_MEMORY",
  nodes: null,
  waitSeconds: null,
  wallSeconds: null,
  cpuSeconds: null,
  peakMemoryBytes: null,
  receivedBytes: null,
  sentBytes: null,
  starts: null,
};
