import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type FileValue, type ListValue, WfError } from "@wf/protocol";
import { expect, test } from "vitest";
import { addStage, file, newRun, runStep, testStore } from "./facts.fixture.ts";
import type { RunJournal } from "./run-journal.ts";

const page = readFileSync(new URL("../../../docs/store.md", import.meta.url), "utf8");
const examples = [...page.matchAll(/(?:<!-- proof: (\w+) -->\n)?```sql\n([\s\S]*?)```/g)].map(([, proof, sql]) => ({
  proof,
  sql: String(sql),
}));

function proof(name: string): string {
  const example = examples.find(({ proof }) => proof === name);
  if (example === undefined) throw new WfError("WF_INTERNAL", `docs/store.md has no proof ${name}`);
  return example.sql;
}

const given = (name: string, value: FileValue | ListValue, split: string, carried = false) => ({
  name,
  value,
  split: [split],
  carried,
});

const EDGES = [
  ["split", "prepare"],
  ["prepare", "train"],
  ["split", "train"],
  ["split", "predict"],
  ["train", "predict"],
  ["predict", "evaluate"],
] as const;

/** split -> prepare[0..2] -> merged -> train (fits) -> predict -> evaluate, with what train reads besides. */
function lungRun(journal: RunJournal, leak: "none" | "labelled" | "mislabelled" | "carried" = "none"): void {
  ["split", "prepare", "train", "predict", "evaluate"].forEach((stage, position) => {
    addStage(journal, stage, { position, fits: stage === "train" });
  });
  for (const [from, to] of EDGES) journal.edge(from, to);
  runStep(journal, {
    stage: "split",
    inputs: [given("all", file("all"), "unsplit")],
    outputs: { train: file("train"), test: file("test") },
    splits: { train: ["train"], test: ["test"] },
  });
  const ready = [0, 1, 2].map((i) => file(`ready ${i}`));
  ready.forEach((out, i) => {
    const chunk = { ...given("chunk", file(`chunk ${i}`), "train"), origins: [file("train")] };
    runStep(journal, {
      stage: "prepare",
      task: `prepare[${i}]`,
      index: [i],
      inputs: [chunk],
      outputs: { out },
      splits: { out: ["train"] },
    });
  });
  const merged = { ...given("train", file("merged"), "train"), origins: [{ kind: "list", items: ready } as const] };
  const extra = {
    none: [],
    labelled: [given("extra", file("test"), "test")],
    mislabelled: [given("extra", file("test"), "train")],
    carried: [given("extra", file("test"), "test", true)],
  }[leak];
  runStep(journal, {
    stage: "train",
    inputs: [merged, ...extra],
    outputs: { model: file("model") },
    splits: { model: ["train"] },
  });
  runStep(journal, {
    stage: "predict",
    inputs: [given("model", file("model"), "train"), given("images", file("test"), "test")],
    outputs: { masks: file("masks") },
    splits: { masks: ["train", "test"] },
  });
  runStep(journal, {
    stage: "evaluate",
    inputs: [given("masks", file("masks"), "test")],
    outputs: { report: file("r") },
  });
}

function lungStore(leak?: Parameters<typeof lungRun>[1]) {
  const store = testStore();
  const run = store.createRun(newRun());
  lungRun(store.journal(run), leak);
  return { store, run };
}

test("lineage goes through lists, chunks and merges", () => {
  const { store } = lungStore();
  const { rows } = store.query("SELECT from_task, output, to_task, input FROM lineage ORDER BY to_task, from_task");
  expect(rows).toEqual([
    ["predict", "masks", "evaluate", "masks"],
    ["split", "test", "predict", "images"],
    ["train", "model", "predict", "model"],
    ["split", "train", "prepare[0]", "chunk"],
    ["split", "train", "prepare[1]", "chunk"],
    ["split", "train", "prepare[2]", "chunk"],
    ["prepare[0]", "out", "train", "train"],
    ["prepare[1]", "out", "train", "train"],
    ["prepare[2]", "out", "train", "train"],
  ]);
});

test("what a value was merged from is also found through what that was cut from", () => {
  const store = testStore();
  const journal = store.journal(store.createRun(newRun()));
  for (const stage of ["make", "use"]) addStage(journal, stage);
  journal.edge("make", "use");
  runStep(journal, { stage: "make", outputs: { whole: file("whole") } });
  const chunk = { ...given("chunk", file("chunk"), "train"), origins: [file("whole")] };
  runStep(journal, { stage: "use", task: "use[0]", inputs: [chunk] });
  runStep(journal, {
    stage: "use",
    task: "use[1]",
    inputs: [given("chunks", { kind: "list", items: [file("chunk")] }, "train")],
  });
  expect(store.query("SELECT to_task FROM lineage WHERE from_task = 'make' ORDER BY 1").rows).toEqual([
    ["use[0]"],
    ["use[1]"],
  ]);
});

test("equal bytes of many tasks lead to the one with the same indices, else to the first", () => {
  const store = testStore();
  const journal = store.journal(store.createRun(newRun()));
  for (const stage of ["a", "b", "unrelated"]) addStage(journal, stage);
  journal.edge("a", "b");
  for (const i of [0, 1, 2])
    runStep(journal, { stage: "a", task: `a[${i}]`, index: [i], outputs: { out: file("same") } });
  runStep(journal, { stage: "unrelated", outputs: { out: file("same") } });
  for (const i of [1, 7])
    runStep(journal, { stage: "b", task: `b[${i}]`, index: [i], inputs: [given("in", file("same"), "train")] });
  expect(store.query("SELECT from_task, to_task FROM lineage ORDER BY to_task").rows).toEqual([
    ["a[1]", "b[1]"],
    ["a[0]", "b[7]"],
  ]);
});

test("a loop is followed from round to round, and a task is not its own ancestor", () => {
  const store = testStore();
  const journal = store.journal(store.createRun(newRun()));
  addStage(journal, "round");
  journal.edge("round", "round");
  for (const i of [0, 1, 2]) {
    const state = { in: file(`state ${i}`), out: file(`state ${i + 1}`) };
    runStep(journal, {
      stage: "round",
      task: `round[${i}]`,
      index: [i],
      inputs: [given("state", state.in, "train")],
      outputs: { state: state.out },
    });
  }
  runStep(journal, {
    stage: "round",
    task: "same",
    index: [9],
    inputs: [given("x", file("x"), "train")],
    outputs: { x: file("x") },
  });
  expect(store.query("SELECT from_task, to_task FROM lineage").rows).toEqual([
    ["round[0]", "round[1]"],
    ["round[1]", "round[2]"],
  ]);
});

test("every example of the documentation runs, and the ancestors of a report are all found", () => {
  const { store, run } = lungStore();
  expect(examples.length).toBeGreaterThan(7);
  const answers = examples.map(({ sql }) => ({ sql, rows: store.query(sql.replaceAll("lung-1-demo", run)).rows }));
  const ancestors = answers.find(({ sql }) => sql.includes("ancestor(task, depth)"))?.rows;
  expect(ancestors).toEqual([
    ["evaluate", 0],
    ["predict", 1],
    ["split", 2],
    ["train", 2],
    ["prepare[0]", 3],
    ["prepare[1]", 3],
    ["prepare[2]", 3],
  ]);
});

test.each([
  { leak: "none", labels: 0, content: 0, carried: null },
  { leak: "carried", labels: 0, content: 0, carried: "extra" },
  { leak: "labelled", labels: 1, content: 1, carried: null },
  { leak: "mislabelled", labels: 0, content: 1, carried: null },
] as const)("the proofs see a leak of kind $leak", ({ leak, labels, content, carried }) => {
  const { store, run } = lungStore(leak);
  expect(store.query(proof("labels")).rows).toHaveLength(labels);
  const leaks = store.query(proof("content")).rows;
  expect(leaks).toEqual(content === 0 ? [] : [[run, "train", "split", "test", file("test").hash]]);
  expect(store.query(proof("scope")).rows).toEqual([[run, "train", carried]]);
});

test("the documented schema is the real one", () => {
  const script = fileURLToPath(new URL("../../../scripts/store-docs.mjs", import.meta.url));
  expect(() => execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" })).not.toThrow();
});
