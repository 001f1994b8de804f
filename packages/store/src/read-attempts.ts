import type { TaskRecord, Usage } from "@wf/protocol";
import { usageOf } from "./attempt-columns.ts";
import type { Connection } from "./connection.ts";
import { parsed } from "./read-runs.ts";
import type { AttemptState } from "./states.ts";

/** Times are Unix seconds. What only a record tells is null until there is one. */
export interface AttemptDetails {
  readonly attempt: string;
  readonly number: number;
  /** Of a resumable task: which part of its work this is. */
  readonly slice: number | null;
  readonly job: string;
  readonly state: AttemptState;
  readonly submittedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly failure: { readonly class: string; readonly message: string; readonly name: string | null } | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly usage: Usage | null;
  readonly stagedIn: TaskRecord["stagedIn"] | null;
  readonly stagedOut: TaskRecord["stagedOut"] | null;
  readonly leftoverProcesses: number | null;
  readonly gpus: TaskRecord["gpus"];
  readonly undeclared: TaskRecord["undeclared"];
}

/** The figures of the usage are read by `usageOf`. */
interface Row {
  readonly name: string;
  readonly number: number;
  readonly slice: number | null;
  readonly job: string;
  readonly state: AttemptState;
  readonly submitted_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly failure_class: string | null;
  readonly failure_message: string;
  readonly failure_name: string | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly staged_in_files: number;
  readonly staged_in_bytes: number;
  readonly staged_in_seconds: number;
  readonly staged_out_files: number;
  readonly staged_out_bytes: number;
  readonly staged_out_seconds: number;
  readonly leftover_processes: number | null;
  readonly gpus: string | null;
  readonly undeclared: string | null;
  readonly [figure: string]: unknown;
}

/** The attempts of one task, the first one first. */
export function listAttempts(connection: Connection, runId: number, task: string): AttemptDetails[] {
  return connection.read(() =>
    connection.db
      .prepare<[number, string], Row>(
        `SELECT attempts.*, jobs.name AS job, slice FROM attempts
         JOIN tasks ON tasks.id = attempts.task_id JOIN jobs ON jobs.id = attempts.job_id
         LEFT JOIN slices ON slices.attempt_id = attempts.id
         WHERE tasks.run_id = ? AND tasks.name = ? ORDER BY attempts.number`,
      )
      .all(runId, task)
      .map(detailsOf),
  );
}

function detailsOf(row: Row): AttemptDetails {
  const hasRecord = row.ended_at !== null;
  return {
    attempt: row.name,
    number: row.number,
    slice: row.slice,
    job: row.job,
    state: row.state,
    submittedAt: row.submitted_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    failure:
      row.failure_class === null
        ? null
        : { class: row.failure_class, message: row.failure_message, name: row.failure_name },
    exitCode: row.exit_code,
    signal: row.signal,
    host: row.host,
    pid: row.pid,
    usage: hasRecord ? usageOf(row) : null,
    stagedIn: hasRecord
      ? { files: row.staged_in_files, bytes: row.staged_in_bytes, seconds: row.staged_in_seconds }
      : null,
    stagedOut: hasRecord
      ? { files: row.staged_out_files, bytes: row.staged_out_bytes, seconds: row.staged_out_seconds }
      : null,
    leftoverProcesses: row.leftover_processes,
    gpus: parsed(row.gpus) ?? [],
    undeclared: parsed(row.undeclared) ?? [],
  };
}

/** The points of an attempt's trace, in the columns of SERIES_COLUMNS; none if it was too short to sample. */
export function readSeries(connection: Connection, runId: number, attempt: string): TaskRecord["series"] {
  return connection.read(() => {
    const points = connection.db
      .prepare<[number, string], string>(
        `SELECT points FROM series JOIN attempts ON attempts.id = series.attempt_id
         JOIN tasks ON tasks.id = attempts.task_id WHERE tasks.run_id = ? AND attempts.name = ?`,
      )
      .pluck()
      .get(runId, attempt);
    return parsed(points ?? null) ?? [];
  });
}
