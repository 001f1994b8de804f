import type { TaskRecord } from "@wf/core";
import type { Statement } from "better-sqlite3";
import type { Cell, Connection } from "./connection.ts";
import type { Metrics, MetricValue } from "./states.ts";

/** What attempts reported. A step is the number of the line, and every member of the line is a metric. */
export class MetricTable {
  readonly #insert: Statement<Cell[]>;

  constructor(connection: Connection) {
    this.#insert = connection.statement(
      "INSERT OR REPLACE INTO metrics (attempt_id, step, name, value, text, recorded_at) VALUES (?, ?, ?, ?, ?, ?)",
    );
  }

  record(attemptId: number, lines: TaskRecord["metrics"], recordedAt: number): void {
    lines.forEach((line, step) => {
      for (const [name, metric] of Object.entries(line)) {
        const { value, text } = toCells(metric);
        this.#insert.run(attemptId, step, name, value, text, recordedAt);
      }
    });
  }
}

/** The last value of each metric name. */
export function lastValues(lines: TaskRecord["metrics"]): Metrics {
  return Object.fromEntries(lines.flatMap((line) => Object.entries(line)));
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
