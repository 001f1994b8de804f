import type { TaskRecord } from "@wf/core";
import type { Resolved } from "@wf/planner";

/** The last number that a task reported under each name. */
export function lastMetrics(record: TaskRecord): { [name: string]: Resolved } {
  const last: Record<string, Resolved> = {};
  for (const line of record.metrics) {
    for (const [name, value] of Object.entries(line))
      if (typeof value === "number") last[name] = { kind: "json", value };
  }
  return last;
}
