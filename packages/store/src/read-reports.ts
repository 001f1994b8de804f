import type { FileValue, Json } from "@wf/protocol";
import type { Connection } from "./connection.ts";
import { fromCells } from "./metric-table.ts";
import type { MetricValue } from "./states.ts";

export interface MetricPoint {
  readonly task: string;
  readonly attempt: string;
  /** Of a resumable task: which part of its work the attempt is. */
  readonly slice: number | null;
  /** Counts the lines that the attempt reported, from 0. */
  readonly line: number;
  /** The step that the line names; null where it names none. */
  readonly step: number | null;
  readonly name: string;
  readonly value: MetricValue;
  /** Unix seconds. */
  readonly recordedAt: number;
}

export interface StoredPicture {
  readonly task: string;
  readonly attempt: string;
  readonly name: string;
  readonly step: number | null;
  /** Where the task wrote it. */
  readonly path: string;
  /** Its content; `file.name` is unique among the pictures of the attempt. */
  readonly file: FileValue;
}

export interface StoredSummary {
  readonly task: string;
  readonly attempt: string;
  readonly facts: Readonly<Record<string, Json>>;
}

export interface StoredWarning {
  readonly task: string;
  readonly attempt: string;
  readonly message: string;
}

/** Of a whole run, or of one task of it. */
export interface ReportFilter {
  readonly task?: string | undefined;
}

export interface MetricFilter extends ReportFilter {
  readonly name?: string | undefined;
}

const FROM = "FROM tasks JOIN attempts ON attempts.task_id = tasks.id";
const WHERE = "WHERE tasks.run_id = @runId AND tasks.name = coalesce(@task, tasks.name)";
const WHO = "tasks.name AS task, attempts.name AS attempt";

/** What the run's own attempts reported, in order; cached tasks ran elsewhere. */
export function listMetrics(connection: Connection, runId: number, { task, name }: MetricFilter): MetricPoint[] {
  return connection.read(() =>
    connection.db
      .prepare<unknown[], Omit<MetricPoint, "value"> & { value: number | null; text: string | null }>(
        `SELECT ${WHO}, slice, line, step, metrics.name AS name, value, text, recorded_at AS recordedAt
         ${FROM} JOIN metrics ON metrics.attempt_id = attempts.id LEFT JOIN slices ON slices.attempt_id = attempts.id
         ${WHERE} AND metrics.name = coalesce(@name, metrics.name) ORDER BY attempts.id, line, metrics.name`,
      )
      .all({ runId, task: task ?? null, name: name ?? null })
      .map(({ value, text, ...point }) => ({ ...point, value: fromCells({ value, text }) })),
  );
}

/** Likewise. */
export function listPictures(connection: Connection, runId: number, { task }: ReportFilter): StoredPicture[] {
  return connection.read(() =>
    connection.db
      .prepare<unknown[], Omit<StoredPicture, "file"> & { file: string; hash: string; size: number }>(
        `SELECT ${WHO}, pictures.name AS name, step, path, file, hash, size_bytes AS size
         ${FROM} JOIN pictures ON pictures.attempt_id = attempts.id JOIN artifacts ON artifacts.id = artifact_id
         ${WHERE} ORDER BY attempts.id, position`,
      )
      .all({ runId, task: task ?? null })
      .map(({ file, hash, size, ...picture }) => ({ ...picture, file: { kind: "file", hash, size, name: file } })),
  );
}

/** Likewise. */
export function listSummaries(connection: Connection, runId: number, { task }: ReportFilter): StoredSummary[] {
  return connection.read(() =>
    connection.db
      .prepare<unknown[], Omit<StoredSummary, "facts"> & { facts: string }>(
        `SELECT ${WHO}, facts ${FROM} JOIN summaries ON summaries.attempt_id = attempts.id
         ${WHERE} ORDER BY attempts.id`,
      )
      .all({ runId, task: task ?? null })
      .map(({ facts, ...summary }) => ({ ...summary, facts: JSON.parse(facts) })),
  );
}

/** Likewise. */
export function listWarnings(connection: Connection, runId: number, { task }: ReportFilter): StoredWarning[] {
  return connection.read(() =>
    connection.db
      .prepare<unknown[], StoredWarning>(
        `SELECT ${WHO}, message ${FROM} JOIN warnings ON warnings.attempt_id = attempts.id
         ${WHERE} ORDER BY attempts.id, position`,
      )
      .all({ runId, task: task ?? null }),
  );
}
