import type { Resolved } from "@wf/planner";
import type { TaskRecord } from "@wf/protocol";

/** The last number that a task reported under each name. */
export function lastMetrics(record: TaskRecord): { [name: string]: Resolved } {
  const last = new Map<string, Resolved>();
  for (const line of record.metrics) {
    for (const [name, value] of Object.entries(line))
      if (typeof value === "number") last.set(name, { kind: "json", value });
  }
  return Object.fromEntries(last);
}
