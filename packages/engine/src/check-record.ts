import type { TaskNode } from "@wf/core";
import type { TaskRecord } from "@wf/protocol";
import { AT_THE_START, type Progress } from "./slices.ts";

/**
 * The launcher saw that the outputs are there; the engine, which has the schemas, sees that they are what was declared.
 * `before` is what earlier slices of the task have reported.
 */
export function checkRecord(node: TaskNode, record: TaskRecord, before: Progress = AT_THE_START): TaskRecord {
  if (record.failure) return record;
  for (const [name, slot] of Object.entries(node.declaration.outputs)) {
    const value = Object.hasOwn(record.outputs, name) ? record.outputs[name] : undefined;
    if (value === undefined && slot.mod === "optional") continue;
    if (value === undefined) return failed(record, "output-missing", name, `its record does not name output "${name}"`);
    const isLeftOut = value.kind === "absent" && slot.mod === "optional";
    if (value.kind !== slot.type.kind && !isLeftOut) {
      const kinds = `is a ${value.kind} in its record, and a ${slot.type.kind} is declared`;
      return failed(record, "output-invalid", name, `output "${name}" ${kinds}`);
    }
    if (slot.type.kind !== "json" || value.kind !== "json" || !slot.type.schema) continue;
    const parsed = slot.type.schema.safeParse(value.value);
    if (parsed.success) continue;
    const [issue] = parsed.error.issues;
    const path = issue?.path.length ? ` at ${issue.path.join(".")}` : "";
    return failed(record, "output-invalid", name, `output "${name}" does not fit its schema${path}: ${issue?.message}`);
  }
  for (const name of node.declaration.metrics) {
    const values = record.metrics.map((line) => line[name]).filter((value) => value != null);
    const last = values.at(-1);
    if (typeof last === "string" && NOT_FINITE.has(last))
      return failed(record, "output-invalid", name, `metric "${name}" ended as ${last}, and a number is declared`);
    if (values.some((value) => typeof value === "number") || Object.hasOwn(before.metrics, name)) continue;
    const how = "to the file that WF_METRICS names, or to standard output after `wf-metrics `";
    return failed(record, "output-missing", name, `metric "${name}" was never reported ${how}`);
  }
  return record;
}

/** How a record writes what JSON has no number for. */
const NOT_FINITE: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);

function failed(
  record: TaskRecord,
  failure: "output-invalid" | "output-missing",
  name: string,
  message: string,
): TaskRecord {
  return { ...record, state: "failed", failure: { class: failure, message, name } };
}
