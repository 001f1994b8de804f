import { ended, finished, lifeOf, step } from "@wf/run/testing";
import { expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { JsonLines } from "./json-lines.ts";

const run = { id: "demo-1-abcd", workflow: "demo", site: "local", storage: "/none", cpus: 2, stages: [] };

it("prints one event a line with its time, and ends with run.finished exactly", () => {
  const screen = new CapturedScreen();
  const view = new JsonLines(screen);
  view.begin({ ...run, stages: [{ stage: "split", count: 1 }] });
  for (const fact of lifeOf(step("split"), 1)) view.fact(fact);
  const outputs = { report: { kind: "file", path: "/out/report.json", sizeBytes: 10 } } as const;
  view.end({ run: run.id, status: "succeeded", outputs, metrics: { dice: 0.9 }, models: [], seconds: 1.5 });
  const events = screen.json as { type: string; time?: number }[];
  expect(events.map(({ type }) => type)).toEqual([
    "run.started",
    "task.ready",
    "attempt.submitted",
    "job.submitted",
    "attempt.started",
    "attempt.finished",
    "task.ended",
    "run.finished",
  ]);
  for (const event of events.slice(0, -1)) expect(event.time).toBeGreaterThan(1e9);
  expect(screen.lines.at(-1)).toBe(
    '{"type":"run.finished","run":"demo-1-abcd","status":"succeeded","outputs":{"report":{"kind":"file","path":"/out/report.json","sizeBytes":10}},"metrics":{"dice":0.9},"seconds":1.5}',
  );
});

it("names the models that came of the run, if any did", () => {
  const screen = new CapturedScreen();
  const models = [
    { name: "unet", version: 2, isNew: true, output: "model", metrics: { dice: { value: 1, splits: [] } } },
  ];
  new JsonLines(screen).end({ run: run.id, status: "succeeded", outputs: {}, metrics: {}, models, seconds: 1 });
  expect(screen.json).toEqual([expect.objectContaining({ type: "run.finished", models })]);
});

it("leaves out series, origins and the items of lists", () => {
  const screen = new CapturedScreen();
  const view = new JsonLines(screen);
  const absent = { kind: "absent" } as const;
  const input = { name: "data", value: absent, split: [], carried: false, origins: [absent] };
  view.fact({ type: "task.ready", ...step("a"), key: null, parts: [], params: {}, inputs: [input] });
  const list = { kind: "list", items: [{ kind: "absent" }, { kind: "absent" }] } as const;
  view.fact(
    finished(step("a"), {
      series: [[1, 2, 3, 4, 5, null, null]],
      outputs: { all: { ...list, items: [...list.items] } },
    }),
  );
  view.fact(ended(step("a"), { state: "done", outputs: { all: list } }));
  view.end({ run: "r", status: "succeeded", outputs: {}, metrics: {}, models: [], seconds: 0 });
  const [ready, record, end] = screen.json as [object, { record: object }, object];
  expect(ready).toMatchObject({ inputs: [{ name: "data", value: { kind: "absent" }, split: [], carried: false }] });
  expect(screen.text).not.toContain("origins");
  expect(record.record).not.toHaveProperty("series");
  expect(record.record).toMatchObject({ outputs: { all: { kind: "list", count: 2 } } });
  expect(end).toMatchObject({ outputs: { all: { kind: "list", count: 2 } } });
});

it("writes many events with few writes", () => {
  const screen = new CapturedScreen();
  const view = new JsonLines(screen);
  view.begin(run);
  for (let i = 0; i < 1000; i++) for (const fact of lifeOf(step("work", i), 1)) view.fact(fact);
  view.end({ run: run.id, status: "succeeded", outputs: {}, metrics: {}, models: [], seconds: 1 });
  expect(screen.lines).toHaveLength(6002);
  expect(screen.writes).toBeLessThan(100);
});
