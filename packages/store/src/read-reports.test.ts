import { expect, test } from "vitest";
import { addStage, file, newRun, runStep, testStore } from "./facts.fixture.ts";
import { lastValues } from "./metric-table.ts";

function reported() {
  const store = testStore();
  const run = store.createRun(newRun());
  const journal = store.journal(run);
  addStage(journal, "train");
  const picture = file("picture", "prediction-2.png");
  runStep(journal, {
    stage: "train",
    record: {
      metrics: [
        { step: 1, loss: 4, dice: 0.5 },
        { step: 2, loss: 1 },
        { step: 3, loss: "NaN" },
        { loss: 2, ok: true },
      ],
      pictures: [
        { name: "prediction", step: 2, path: "out/p.png", file: picture },
        { name: "again", step: null, path: "out/q.png", file: { ...picture, name: "again.png" } },
      ],
      summary: { classes: ["a", "b"], best: 2 },
      warnings: ["metrics line 3: loss is NaN"],
    },
  });
  return { store, run, journal, picture };
}

test("numbers come back with their steps, and what is not finite as text", () => {
  const { store, run } = reported();
  const points = store.metrics(run).map(({ line, step, name, value }) => [line, step, name, value]);
  expect(points).toEqual([
    [0, 1, "dice", 0.5],
    [0, 1, "loss", 4],
    [1, 2, "loss", 1],
    [2, 3, "loss", "NaN"],
    [3, null, "loss", 2],
    [3, null, "ok", true],
  ]);
});

test("a series in figures counts numbers only", () => {
  const { store, run } = reported();
  const { columns, rows } = store.query(`SELECT * FROM metric_series WHERE run = '${run}'`);
  expect(rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))).toMatchObject([
    { name: "dice", points: 1, first: 0.5, last: 0.5 },
    { name: "loss", points: 3, first_step: 1, last_step: 3, first: 4, last: 2, lowest: 1, highest: 4 },
  ]);
});

test("pictures, summaries and warnings come back, by task too", () => {
  const { store, run, picture } = reported();
  const who = { task: "train", attempt: "train#1" };
  expect(store.pictures(run)).toEqual([
    { ...who, name: "prediction", step: 2, path: "out/p.png", file: picture },
    { ...who, name: "again", step: null, path: "out/q.png", file: { ...picture, name: "again.png" } },
  ]);
  expect(store.summaries(run)).toEqual([{ ...who, facts: { classes: ["a", "b"], best: 2 } }]);
  expect(store.warnings(run)).toEqual([{ ...who, message: "metrics line 3: loss is NaN" }]);
  const other = { task: "other" };
  expect([...store.pictures(run, other), ...store.summaries(run, other), ...store.warnings(run, other)]).toEqual([]);
  expect(store.query("SELECT name, value FROM summary").rows).toEqual([
    ["classes", '["a","b"]'],
    ["best", 2],
  ]);
  expect(store.query("SELECT file FROM picture").rows[0]).toEqual([
    `runs/${run}/attempts/train#1/pictures/prediction-2.png`,
  ]);
});

test("the content of a picture is needed as long as its run is there", () => {
  const { store, run, picture } = reported();
  const isNeeded = () => store.referencedContent().some(({ hash }) => hash === picture.hash);
  expect(isNeeded()).toBe(true);
  store.deleteRun(run);
  expect(isNeeded()).toBe(false);
});

test("the last value counts, and that it is unknown takes nothing back", () => {
  expect(lastValues([{ a: 1, b: null }, { a: 2 }, { a: null, c: "NaN" }])).toEqual({ a: 2, b: null, c: "NaN" });
});
