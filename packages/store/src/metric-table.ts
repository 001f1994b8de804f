import type { TaskRecord } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { Cell, Connection } from "./connection.ts";
import type { Metrics, MetricValue } from "./states.ts";

/** What attempts reported. A line may name its step; every other member of it is a metric. */
export class MetricTable {
  readonly #insert: Statement<Cell[]>;

  constructor(connection: Connection) {
    this.#insert = connection.statement(
      `INSERT OR REPLACE INTO metrics (attempt_id, line, name, step, value, text, recorded_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  record(attemptId: number, lines: TaskRecord["metrics"], recordedAt: number): void {
    for (const [number, line] of lines.entries()) {
      const step = typeof line.step === "number" ? line.step : null;
      for (const [name, metric] of Object.entries(line)) {
        if (name === "step" && step !== null) continue;
        const { value, text } = toCells(metric);
        this.#insert.run(attemptId, number, name, step, value, text, recordedAt);
      }
    }
  }
}

/** The last value of each metric name; that one is unknown now takes nothing back. */
export function lastValues(lines: TaskRecord["metrics"]): Metrics {
  const last = new Map<string, MetricValue>();
  for (const line of lines)
    for (const [name, value] of Object.entries(line)) last.set(name, value ?? last.get(name) ?? null);
  return Object.fromEntries(last);
}

interface Cells {
  readonly value: number | null;
  readonly text: string | null;
}

/** Law: fromCells(toCells(m)) is m. Only a boolean has both cells. */
function toCells(metric: MetricValue): Cells {
  if (typeof metric === "number") return { value: metric, text: null };
  if (typeof metric === "boolean") return { value: metric ? 1 : 0, text: String(metric) };
  return { value: null, text: metric };
}

export function fromCells({ value, text }: Cells): MetricValue {
  return value !== null && text !== null ? value === 1 : (value ?? text);
}
