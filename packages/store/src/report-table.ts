import type { TaskRecord } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { ArtifactTable } from "./artifact-table.ts";
import type { Clock } from "./clock.ts";
import type { Cell, Connection } from "./connection.ts";
import { MetricTable } from "./metric-table.ts";

/** What attempts said of themselves. Always called inside a transaction. */
export class ReportTable {
  readonly #now: Clock;
  readonly #artifacts: ArtifactTable;
  readonly #metrics: MetricTable;
  readonly #picture: Statement<Cell[]>;
  readonly #summary: Statement<Cell[]>;
  readonly #warning: Statement<Cell[]>;

  constructor(connection: Connection, artifacts: ArtifactTable, now: Clock) {
    this.#now = now;
    this.#artifacts = artifacts;
    this.#metrics = new MetricTable(connection);
    this.#picture = connection.statement(
      `INSERT OR REPLACE INTO pictures (attempt_id, position, name, step, path, file, artifact_id)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#summary = connection.statement("INSERT OR REPLACE INTO summaries (attempt_id, facts) VALUES (?, ?)");
    this.#warning = connection.statement(
      "INSERT OR REPLACE INTO warnings (attempt_id, position, message) VALUES (?, ?, ?)",
    );
  }

  record(attemptId: number, { metrics, pictures = [], summary, warnings = [] }: TaskRecord): void {
    this.#metrics.record(attemptId, metrics, this.#now());
    for (const [position, { name, step, path, file }] of pictures.entries())
      this.#picture.run(attemptId, position, name, step, path, file.name, this.#artifacts.idOf(file));
    if (summary !== undefined) this.#summary.run(attemptId, JSON.stringify(summary));
    for (const [position, message] of warnings.entries()) this.#warning.run(attemptId, position, message);
  }
}
