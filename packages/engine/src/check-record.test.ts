import { file, json, optional, type TaskNode, task, workflow } from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkRecord } from "./check-record.ts";
import { testRecord } from "./test-site.ts";

const train = task({
  name: "train",
  outputs: {
    model: file("pt"),
    best: json(z.object({ lr: z.number().positive() })),
    notes: optional(json(z.string())),
  },
  metrics: ["dice"],
  command: () => ["train"],
});
const node = workflow({ name: "study", build: () => ({ model: train({}).model }) })
  .toGraph()
  .nodes.get("train") as TaskNode;
const good = { outputs: { best: { lr: 1 } }, files: ["model"], metrics: { dice: 0.9 } };

test("a record that keeps what was declared is left as it is", () => {
  const record = testRecord({}, good);
  expect(checkRecord(node, record)).toBe(record);
  const failed = testRecord({}, { failure: "exit" });
  expect(checkRecord(node, failed)).toBe(failed);
});

test("a value that does not fit its schema is named with its place", () => {
  const record = checkRecord(node, testRecord({}, { ...good, outputs: { best: { lr: -1 } } }));
  expect(record.state).toBe("failed");
  expect(record.failure).toMatchObject({ class: "output-invalid", name: "best" });
  expect(record.failure?.message).toContain('output "best" does not fit its schema at lr');
});

test("an optional output may be absent, but not wrong", () => {
  const record = testRecord({}, good);
  const absent = { ...record, outputs: { ...record.outputs, notes: { kind: "absent" as const } } };
  expect(checkRecord(node, absent).state).toBe("succeeded");
  const wrong = testRecord({}, { ...good, outputs: { ...good.outputs, notes: 4 } });
  expect(checkRecord(node, wrong).failure?.name).toBe("notes");
});

test("an output that the record does not name, or calls something else, is no output", () => {
  const record = testRecord({}, good);
  const { model, ...others } = record.outputs;
  const missing = checkRecord(node, { ...record, outputs: others });
  expect(missing.failure).toMatchObject({ class: "output-missing", name: "model" });
  const absent = checkRecord(node, { ...record, outputs: { ...others, model: { kind: "absent" } } });
  expect(absent.failure).toMatchObject({ class: "output-invalid", name: "model" });
  const folder = { kind: "directory", hash: "0".repeat(64), size: 0, files: 0 } as const;
  const other = checkRecord(node, { ...record, outputs: { ...others, model: folder } });
  expect(other.failure?.message).toBe('output "model" is a directory in its record, and a file is declared');
});

test("a declared metric that was never reported as a number is missing", () => {
  for (const metrics of [[], [{ loss: 1 }], [{ dice: "high" }], [{ dice: null }]]) {
    const record = checkRecord(node, { ...testRecord({}, good), metrics });
    expect(record.failure).toMatchObject({ class: "output-missing", name: "dice" });
  }
  const later = { ...testRecord({}, good), metrics: [{ loss: 1 }, { dice: 0.5 }] };
  expect(checkRecord(node, later).state).toBe("succeeded");
});

test("a declared metric may lose its way, but not end as NaN", () => {
  const ended = (...values: (number | string | null)[]) =>
    checkRecord(node, { ...testRecord({}, good), metrics: values.map((dice) => ({ dice })) });
  expect(ended("NaN", 0.5, null).state).toBe("succeeded");
  for (const last of ["NaN", "Infinity", "-Infinity"]) {
    const { failure } = ended(0.5, last);
    expect(failure).toMatchObject({ class: "output-invalid", name: "dice" });
    expect(failure?.message).toContain(`ended as ${last}`);
  }
});
