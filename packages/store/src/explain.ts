import type { KeyPart } from "@wf/protocol";
import type { Connection } from "./connection.ts";
import { parsed, readWorkflow } from "./read-runs.ts";
import { readTask } from "./read-tasks.ts";

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

const COLUMNS = "runs.name AS run, tasks.name AS task, cache_key AS key, key_parts AS parts";
const DETAILS = "LEFT JOIN task_details ON task_details.task_id = tasks.id";

/** The task's key, and the best task of an earlier run to compare it with. */
export interface ComparedKey {
  readonly key: KeyedTask | null;
  readonly earlier: KeyedTask | null;
}

export function compareKey(connection: Connection, runId: number, task: string): ComparedKey {
  const { stage } = readTask(connection, runId, task);
  const { name: workflow } = readWorkflow(connection, runId);
  return {
    key: readKey(connection, runId, task),
    earlier: findComparable(connection, { workflow, task, stage, beforeRunId: runId }),
  };
}

/** Null if the task may not be reused and so has no key. */
function readKey(connection: Connection, runId: number, task: string): KeyedTask | null {
  const read = connection.db.prepare<[number, string], Row>(
    `SELECT ${COLUMNS} FROM tasks JOIN runs ON runs.id = tasks.run_id ${DETAILS}
     WHERE tasks.run_id = ? AND tasks.name = ? AND cache_key IS NOT NULL`,
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
  // CROSS keeps the order: from the newest run to its task, never through all tasks of the store.
  const newest = (tasks: string) =>
    connection.db.prepare<unknown[], Row>(
      `SELECT ${COLUMNS} FROM runs JOIN workflows ON workflows.id = runs.workflow_id ${tasks} ${DETAILS}
       WHERE workflows.name = @workflow AND (@beforeRunId IS NULL OR runs.id < @beforeRunId)
         AND tasks.state IN ('done', 'cached') AND cache_key IS NOT NULL
       ORDER BY runs.id DESC LIMIT 1`,
    );
  const sameName = newest("CROSS JOIN tasks ON tasks.run_id = runs.id AND tasks.name = @task");
  const sameStage = newest(
    `CROSS JOIN stages ON stages.run_id = runs.id AND stages.name = @stage
     CROSS JOIN tasks ON tasks.stage_id = stages.id`,
  );
  const { stage, task, ...rest } = comparison;
  return connection.read(() => keyedTask(sameName.get({ task, ...rest }) ?? sameStage.get({ stage, ...rest })));
}

function keyedTask(row: Row | undefined): KeyedTask | null {
  return row === undefined ? null : { ...row, parts: parsed(row.parts) ?? [] };
}
