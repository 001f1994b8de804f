import type { KeyPart } from "@wf/core";
import type { Connection } from "./connection.ts";
import { parsed } from "./read-runs.ts";

export interface KeyedTask {
  readonly run: string;
  readonly task: string;
  readonly key: string;
  readonly parts: readonly KeyPart[];
}

interface Row {
  readonly run: string;
  readonly task: string;
  readonly key: string;
  readonly parts: string | null;
}

const SELECT = `SELECT runs.name AS run, tasks.name AS task, cache_key AS key, parts FROM tasks
  JOIN runs ON runs.id = tasks.run_id JOIN workflows ON workflows.id = runs.workflow_id
  JOIN stages ON stages.id = tasks.stage_id LEFT JOIN task_keys ON task_keys.task_id = tasks.id`;

/** Null if the task may not be reused and so has no key. */
export function readKey(connection: Connection, runId: number, task: string): KeyedTask | null {
  const read = connection.db.prepare<[number, string], Row>(
    `${SELECT} WHERE tasks.run_id = ? AND tasks.name = ? AND cache_key IS NOT NULL`,
  );
  return connection.read(() => keyedTask(read.get(runId, task)));
}

/** What a task is compared with when somebody asks why it ran. */
export interface Comparison {
  readonly workflow: string;
  readonly task: string;
  readonly stage: string;
  /** Only runs that are older than this one; null compares with all. */
  readonly beforeRunId: number | null;
}

/**
 * The best earlier task to compare with: the newest of the same name in a run of the same workflow, else the newest
 * of the same stage. Only a task that has a result counts, because only such a one could have been reused.
 */
export function findComparable(connection: Connection, comparison: Comparison): KeyedTask | null {
  const conditions = `workflows.name = @workflow AND (@beforeRunId IS NULL OR runs.id < @beforeRunId)
    AND tasks.state IN ('done', 'cached') AND cache_key IS NOT NULL ORDER BY runs.id DESC, tasks.id DESC LIMIT 1`;
  const sameName = connection.db.prepare<unknown[], Row>(`${SELECT} WHERE tasks.name = @task AND ${conditions}`);
  const sameStage = connection.db.prepare<unknown[], Row>(`${SELECT} WHERE stages.name = @stage AND ${conditions}`);
  return connection.read(() => keyedTask(sameName.get(comparison) ?? sameStage.get(comparison)));
}

function keyedTask(row: Row | undefined): KeyedTask | null {
  return row === undefined ? null : { ...row, parts: parsed(row.parts) ?? [] };
}
