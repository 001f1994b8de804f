import { type Json, type Value, WfError } from "@wf/protocol";
import type { Connection } from "./connection.ts";
import { ARTIFACT_COLUMNS, type StoredArtifact } from "./read-artifacts.ts";
import { noTasks, parsed, type TaskCounts } from "./read-runs.ts";
import type { Metrics, TaskState } from "./states.ts";

export interface StageCounts {
  readonly stage: string;
  /** The name of the declared task. */
  readonly task: string;
  readonly fits: boolean;
  readonly resources: Json;
  readonly counts: TaskCounts;
}

/** In the order that people read them. Stages whose tasks are still unknown have zeros. */
export function countStages(connection: Connection, runId: number): StageCounts[] {
  return connection.read(() => {
    const rows = connection.db
      .prepare<
        [number],
        { stage: string; task: string; fits: number; resources: string; state: TaskState | null; count: number }
      >(
        `SELECT stages.name AS stage, task, fits, resources, state, count(*) AS count
         FROM stages LEFT JOIN tasks ON tasks.stage_id = stages.id
         WHERE stages.run_id = ? GROUP BY stages.id, state ORDER BY position, stages.id`,
      )
      .all(runId);
    const stages = new Map<string, StageCounts & { counts: Record<TaskState, number> }>();
    for (const { stage, task, fits, resources, state, count } of rows) {
      const known = stages.get(stage) ?? {
        stage,
        task,
        fits: fits === 1,
        resources: JSON.parse(resources),
        counts: noTasks(),
      };
      if (state !== null) known.counts[state] = count;
      stages.set(stage, known);
    }
    return [...stages.values()];
  });
}

export function listEdges(connection: Connection, runId: number): { readonly from: string; readonly to: string }[] {
  return connection.read(() =>
    connection.db
      .prepare<[number], { from: string; to: string }>(
        `SELECT source.name AS "from", target.name AS "to" FROM stages AS source
         JOIN edges ON edges.from_stage_id = source.id JOIN stages AS target ON target.id = edges.to_stage_id
         WHERE source.run_id = ? ORDER BY source.position, target.position`,
      )
      .all(runId),
  );
}

export interface TaskFilter {
  readonly stage?: string | undefined;
  readonly states?: readonly TaskState[] | undefined;
  /** A part of the task's name. */
  readonly text?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Times are Unix seconds. */
export interface TaskSummary {
  readonly task: string;
  readonly stage: string;
  readonly index: readonly number[];
  readonly state: TaskState;
  readonly key: string | null;
  readonly readyAt: number | null;
  readonly endedAt: number | null;
  readonly cachedFrom: { readonly run: string; readonly task: string } | null;
  readonly attempts: number;
  /** Empty for a task that was never ready. */
  readonly params: Readonly<Record<string, Json>>;
  readonly metrics: Metrics;
  readonly cause: Json | null;
}

interface TaskRow {
  readonly id: number;
  readonly task: string;
  readonly stage: string;
  readonly indexPath: string;
  readonly state: TaskState;
  readonly key: string | null;
  readonly readyAt: number | null;
  readonly endedAt: number | null;
  readonly fromRun: string | null;
  readonly fromTask: string | null;
  readonly attempts: number;
  readonly metrics: string | null;
  readonly cause: string | null;
  readonly outputs: string | null;
  readonly params: string | null;
}

const COLUMNS = `tasks.id, tasks.name AS task, stages.name AS stage, index_path AS indexPath, state, cache_key AS key,
  ready_at AS readyAt, ended_at AS endedAt, cached_from_run AS fromRun, cached_from_task AS fromTask,
  (SELECT count(*) FROM attempts WHERE attempts.task_id = tasks.id) AS attempts, metrics, cause, outputs,
  (SELECT params FROM task_details WHERE task_details.task_id = tasks.id) AS params`;

/** In the order in which they became known. `total` counts all that fit, whatever the page. */
export function listTasks(
  connection: Connection,
  runId: number,
  { stage, states, text, limit, offset }: TaskFilter,
): { readonly tasks: TaskSummary[]; readonly total: number } {
  const conditions = ["tasks.run_id = @runId"];
  if (stage !== undefined) conditions.push("stages.name = @stage");
  if (states !== undefined) conditions.push("state IN (SELECT value FROM json_each(@states))");
  if (text !== undefined) conditions.push("instr(tasks.name, @text) > 0");
  const from = `FROM tasks JOIN stages ON stages.id = tasks.stage_id WHERE ${conditions.join(" AND ")}`;
  const values = {
    runId,
    ...(stage === undefined ? {} : { stage }),
    ...(states === undefined ? {} : { states: JSON.stringify(states) }),
    ...(text === undefined ? {} : { text }),
  };
  const page = { ...values, limit: limit ?? -1, offset: offset ?? 0 };
  return connection.read(() => ({
    tasks: connection.db
      .prepare<unknown[], TaskRow>(`SELECT ${COLUMNS} ${from} ORDER BY tasks.id LIMIT @limit OFFSET @offset`)
      .all(page)
      .map(summaryOf),
    total: connection.db.prepare<unknown[], number>(`SELECT count(*) ${from}`).pluck().get(values) ?? 0,
  }));
}

export interface GivenInput {
  readonly name: string;
  readonly splits: readonly string[];
  readonly carried: boolean;
  /** Null if the input was absent. */
  readonly artifact: StoredArtifact | null;
}

export interface TaskDetails extends TaskSummary {
  readonly inputs: readonly GivenInput[];
  readonly outputs: Readonly<Record<string, Value>>;
}

export function readTask(connection: Connection, runId: number, task: string): TaskDetails {
  return connection.read(() => {
    const row = connection.db
      .prepare<[number, string], TaskRow>(
        `SELECT ${COLUMNS} FROM tasks JOIN stages ON stages.id = tasks.stage_id
         WHERE tasks.run_id = ? AND tasks.name = ?`,
      )
      .get(runId, task);
    if (row === undefined) throw taskNotFound(connection, runId, task);
    return { ...summaryOf(row), inputs: listInputs(connection, row.id), outputs: parsed(row.outputs) ?? {} };
  });
}

function listInputs(connection: Connection, taskId: number): GivenInput[] {
  return connection.db
    .prepare<[number], StoredArtifact & { input: string; splits: string; carried: number; artifactId: number | null }>(
      `SELECT used.name AS input, splits, carried, artifact_id AS artifactId, ${ARTIFACT_COLUMNS}
       FROM used LEFT JOIN artifacts ON artifacts.id = used.artifact_id WHERE task_id = ? ORDER BY used.name`,
    )
    .all(taskId)
    .map(({ input, splits, carried, artifactId, ...artifact }) => ({
      name: input,
      splits: JSON.parse(splits),
      carried: carried === 1,
      artifact: artifactId === null ? null : artifact,
    }));
}

function summaryOf({ id: _, indexPath, fromRun, fromTask, outputs: __, ...row }: TaskRow): TaskSummary {
  return {
    ...row,
    index: JSON.parse(indexPath),
    cachedFrom: fromRun === null || fromTask === null ? null : { run: fromRun, task: fromTask },
    params: parsed(row.params) ?? {},
    metrics: parsed(row.metrics) ?? {},
    cause: parsed(row.cause),
  };
}

function taskNotFound(connection: Connection, runId: number, task: string): WfError {
  const near = connection.db
    .prepare<[{ runId: number; text: string }], string>(
      `SELECT tasks.name FROM tasks JOIN stages ON stages.id = tasks.stage_id
       WHERE tasks.run_id = @runId AND (instr(tasks.name, @text) > 0 OR instr(@text, stages.name) > 0) ORDER BY tasks.id LIMIT 5`,
    )
    .pluck()
    .all({ runId, text: task });
  return new WfError("WF_TASK_NOT_FOUND", `The run has no task "${task}" so far.`, {
    hint:
      near.length === 0
        ? "`wf show RUN` lists its stages, `wf show RUN STAGE` the tasks of one."
        : `Did you mean ${near.join(", ")}?`,
  });
}
