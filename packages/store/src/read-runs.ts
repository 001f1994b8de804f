import type { Json, Value } from "@wf/protocol";
import type { Connection } from "./connection.ts";
import type { GitState } from "./new-run.ts";
import { type Metrics, type RunStatus, TASK_STATES, type TaskState } from "./states.ts";

export type TaskCounts = Readonly<Record<TaskState, number>>;

/** Times are Unix seconds. */
export interface RunSummary {
  readonly run: string;
  readonly workflow: string;
  readonly number: number;
  readonly site: string;
  readonly status: RunStatus;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Of the tasks that the store knows: those that were ready or skipped so far. */
  readonly tasks: TaskCounts;
}

export interface RunDetails extends RunSummary {
  readonly file: string;
  /** SHA-256 of the bundle. */
  readonly bundle: string;
  readonly params: Json;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly options: Json;
  readonly git: GitState | null;
  readonly outputs: Readonly<Record<string, Value>> | null;
  readonly metrics: Metrics | null;
  readonly error: Json | null;
}

export interface RunFilter {
  readonly workflow?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly limit?: number | undefined;
}

type SummaryRow = Omit<RunSummary, "tasks"> & { readonly id: number };

interface DetailsRow extends SummaryRow {
  readonly file: string;
  readonly bundle: string;
  readonly params: string;
  readonly inputs: string;
  readonly options: string;
  readonly outputs: string | null;
  readonly metrics: string | null;
  readonly error: string | null;
  readonly gitCommit: string | null;
  readonly gitBranch: string | null;
  readonly gitDiffHash: string | null;
  readonly gitLocks: string | null;
}

const SUMMARY = `runs.id, runs.name AS run, workflows.name AS workflow, number, site, status, created_at AS createdAt,
  started_at AS startedAt, finished_at AS finishedAt`;
const FROM = "FROM runs JOIN workflows ON workflows.id = runs.workflow_id";

/** The newest first. */
export function listRuns(connection: Connection, { workflow, status, limit }: RunFilter): RunSummary[] {
  return connection.read(() =>
    connection.db
      .prepare<unknown[], SummaryRow>(
        `SELECT ${SUMMARY} ${FROM} WHERE workflows.name = coalesce(?, workflows.name) AND status = coalesce(?, status)
         ORDER BY runs.id DESC LIMIT ?`,
      )
      .all(workflow ?? null, status ?? null, limit ?? -1)
      .map(({ id, ...row }) => ({ ...row, tasks: countTasks(connection, id) })),
  );
}

export function readRun(connection: Connection, runId: number): RunDetails {
  return connection.read(() => {
    const row = connection.db
      .prepare<[number], DetailsRow>(
        `SELECT ${SUMMARY}, file, hash AS bundle, params, inputs, options, outputs, metrics, error,
           git_commit AS gitCommit, git_branch AS gitBranch, git_diff_hash AS gitDiffHash, git_locks AS gitLocks
         ${FROM} WHERE runs.id = ?`,
      )
      .get(runId) as DetailsRow;
    const { id, gitCommit, gitBranch, gitDiffHash, gitLocks, ...rest } = row;
    return {
      ...rest,
      tasks: countTasks(connection, id),
      params: JSON.parse(row.params),
      inputs: JSON.parse(row.inputs),
      options: JSON.parse(row.options),
      outputs: parsed(row.outputs),
      metrics: parsed(row.metrics),
      error: parsed(row.error),
      git:
        gitLocks === null
          ? null
          : { commit: gitCommit, branch: gitBranch, diffHash: gitDiffHash, locks: JSON.parse(gitLocks) },
    };
  });
}

export function readPlan(connection: Connection, runId: number): Json {
  const read = connection.db.prepare<[number], string>("SELECT document FROM plans WHERE run_id = ?").pluck();
  return connection.read(() => JSON.parse(read.get(runId) as string));
}

export interface StoredWorkflow {
  readonly name: string;
  readonly file: string;
  readonly hash: string;
  readonly source: string;
}

export function readWorkflow(connection: Connection, runId: number): StoredWorkflow {
  const read = connection.db.prepare<[number], StoredWorkflow>(
    `SELECT workflows.name, file, hash, source ${FROM} WHERE runs.id = ?`,
  );
  return connection.read(() => read.get(runId) as StoredWorkflow);
}

export function noTasks(): Record<TaskState, number> {
  return Object.fromEntries(TASK_STATES.map((state) => [state, 0])) as Record<TaskState, number>;
}

function countTasks(connection: Connection, runId: number): TaskCounts {
  const counts = noTasks();
  const rows = connection.db
    .prepare<[number], { state: TaskState; count: number }>(
      "SELECT state, count(*) AS count FROM tasks WHERE run_id = ? GROUP BY state",
    )
    .all(runId);
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

export function parsed<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}
