import { type Json, type KeyPart, type Value, WfError } from "@wf/core";
import type { Statement } from "better-sqlite3";
import type { ArtifactTable } from "./artifact-table.ts";
import type { Clock } from "./clock.ts";
import type { Cell, Connection } from "./connection.ts";
import type { FinalTaskState, Metrics, TaskState } from "./states.ts";
import { UntilRollback } from "./until-rollback.ts";

export interface TaskInput {
  readonly name: string;
  readonly value: Value;
  /** Which splits of the data are in it. */
  readonly split: readonly string[];
  /** Staged, but declared unread by the fit. */
  readonly carried: boolean;
  /**
   * Only for a value that no task made as it stands (a chunk, a column, a merge): the outputs and inputs that it was
   * computed from. Lineage follows them.
   */
  readonly origins?: readonly Value[] | undefined;
}

export interface TaskReady {
  readonly task: string;
  readonly stage: string;
  readonly index: readonly number[];
  /** Null if the task may not be reused. */
  readonly key: string | null;
  readonly parts: readonly KeyPart[];
  readonly inputs: readonly TaskInput[];
}

export interface TaskEnded {
  readonly task: string;
  readonly state: FinalTaskState;
  readonly outputs?: Readonly<Record<string, Value>> | undefined;
  readonly splits?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly cachedFrom?: { readonly run: string; readonly task: string } | undefined;
  readonly cause?: Json | undefined;
  /** Both are needed for a task that was never ready, such as a skipped one. */
  readonly stage?: string | undefined;
  readonly index?: readonly number[] | undefined;
}

/** Tasks of one run, with what they used and made. Always called inside a transaction. */
export class TaskTable {
  readonly #run: number;
  readonly #now: Clock;
  readonly #artifacts: ArtifactTable;
  readonly #stageId: (stage: string) => number;
  /** Only of tasks that have not ended, so that memory does not grow with what is done. */
  readonly #active: UntilRollback<Map<string, number>>;
  readonly #find: Statement<[number, string], number>;
  readonly #insert: Statement<Cell[]>;
  readonly #again: Statement<Cell[]>;
  readonly #forgetUsed: Statement<[number]>;
  readonly #parts: Statement<[number, string]>;
  readonly #use: Statement<Cell[]>;
  readonly #make: Statement<Cell[]>;
  readonly #move: Statement<[TaskState, number]>;
  readonly #measure: Statement<[string, number]>;
  readonly #end: Statement<Cell[], { stage_id: number }>;
  readonly #inherit: Statement<Cell[]>;
  readonly #touchCache: Statement<[number, number]>;

  constructor(
    run: number,
    connection: Connection,
    artifacts: ArtifactTable,
    stageId: (stage: string) => number,
    now: Clock,
  ) {
    const { db } = connection;
    this.#run = run;
    this.#artifacts = artifacts;
    this.#stageId = stageId;
    this.#now = now;
    this.#active = new UntilRollback(connection, () => new Map());
    this.#find = db.prepare<[number, string], number>("SELECT id FROM tasks WHERE run_id = ? AND name = ?").pluck();
    this.#insert = connection.statement(
      `INSERT INTO tasks (run_id, stage_id, name, index_path, state, cache_key, ready_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#again = connection.statement(
      `UPDATE tasks SET state = 'ready', cache_key = ?, ready_at = ?, ended_at = NULL, outputs = NULL, cause = NULL
       WHERE id = ?`,
    );
    this.#forgetUsed = db.prepare("DELETE FROM used WHERE task_id = ?");
    this.#parts = db.prepare("INSERT OR REPLACE INTO task_keys (task_id, parts) VALUES (?, ?)");
    this.#use = connection.statement(
      "INSERT INTO used (task_id, name, artifact_id, splits, carried) VALUES (?, ?, ?, ?, ?)",
    );
    this.#make = connection.statement(
      "INSERT OR REPLACE INTO made (task_id, name, artifact_id, stage_id, splits) VALUES (?, ?, ?, ?, ?)",
    );
    this.#move = db.prepare("UPDATE tasks SET state = ? WHERE id = ? AND ended_at IS NULL");
    this.#measure = db.prepare("UPDATE tasks SET metrics = ? WHERE id = ?");
    this.#end = connection.statement(
      `UPDATE tasks SET state = ?, ended_at = ?, cached_from_run = ?, cached_from_task = ?, outputs = ?, cause = ?
       WHERE id = ? RETURNING stage_id`,
    );
    this.#inherit = connection.statement(
      `UPDATE tasks SET metrics = (
         SELECT source.metrics FROM tasks AS source JOIN runs ON runs.id = source.run_id
         WHERE runs.name = ? AND source.name = ?
       ) WHERE id = ?`,
    );
    this.#touchCache = db.prepare(
      "UPDATE cache SET last_used_at = ? WHERE key = (SELECT cache_key FROM tasks WHERE id = ?)",
    );
  }

  /** Undefined if the run has no such task yet. */
  find(task: string): number | undefined {
    return this.#active.value.get(task) ?? this.#find.get(this.#run, task);
  }

  idOf(task: string): number {
    const id = this.find(task);
    if (id === undefined) throw new WfError("WF_INTERNAL", `Task ${task} is not in the store yet.`);
    return id;
  }

  ready(fact: TaskReady): void {
    const id = this.#enter(fact.task, fact.stage, fact.index, fact.key);
    this.#active.value.set(fact.task, id);
    if (fact.parts.length > 0) this.#parts.run(id, JSON.stringify(fact.parts));
    for (const { name, value, split, carried, origins } of fact.inputs) {
      const artifact = this.#artifacts.idOf(value, origins);
      this.#use.run(id, name, artifact, JSON.stringify(split), carried ? 1 : 0);
    }
  }

  /** A task that has ended stays as it is: a record may come late. */
  move(id: number, state: TaskState): void {
    this.#move.run(state, id);
  }

  measured(id: number, metrics: Metrics): void {
    this.#measure.run(JSON.stringify(metrics), id);
  }

  ended(fact: TaskEnded): void {
    const id = this.find(fact.task) ?? this.#enterSkipped(fact);
    const { state, cachedFrom, outputs, cause } = fact;
    const row = this.#end.get(
      state,
      this.#now(),
      cachedFrom?.run ?? null,
      cachedFrom?.task ?? null,
      outputs === undefined ? null : JSON.stringify(outputs),
      cause === undefined ? null : JSON.stringify(cause),
      id,
    );
    for (const [name, value] of Object.entries(outputs ?? {})) {
      const splits = JSON.stringify(fact.splits?.[name] ?? []);
      this.#make.run(id, name, this.#artifacts.idOf(value), row?.stage_id ?? null, splits);
    }
    if (cachedFrom !== undefined) {
      this.#inherit.run(cachedFrom.run, cachedFrom.task, id);
      this.#touchCache.run(this.#now(), id);
    }
    this.#active.value.delete(fact.task);
  }

  #enter(task: string, stage: string, index: readonly number[], key: string | null): number {
    const now = this.#now();
    const row = this.#insert.run(this.#run, this.#stageId(stage), task, JSON.stringify(index), "ready", key, now);
    if (row.changes === 1) return Number(row.lastInsertRowid);
    const id = this.idOf(task);
    this.#again.run(key, now, id);
    this.#forgetUsed.run(id);
    return id;
  }

  #enterSkipped({ task, stage, index }: TaskEnded): number {
    if (stage === undefined || index === undefined) return this.idOf(task);
    const stageId = this.#stageId(stage);
    const row = this.#insert.run(this.#run, stageId, task, JSON.stringify(index), "skipped", null, null);
    return Number(row.lastInsertRowid);
  }
}
