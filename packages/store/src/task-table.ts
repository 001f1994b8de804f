import { type Json, type KeyPart, type Value, WfError } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { ArtifactTable } from "./artifact-table.ts";
import type { Clock } from "./clock.ts";
import type { Cell, Connection } from "./connection.ts";
import type { FinalTaskState, Metrics, TaskState } from "./states.ts";
import { parseMetrics } from "./stored-values.ts";
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
  /** By name; they are also parts of the key, but here they keep their types. */
  readonly params?: Readonly<Record<string, Json>> | undefined;
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

interface Ids {
  readonly id: number;
  readonly stageId: number;
}

/** Tasks of one run, with what they used and made. Always called inside a transaction. */
export class TaskTable {
  readonly #run: number;
  readonly #now: Clock;
  readonly #artifacts: ArtifactTable;
  readonly #stageId: (stage: string) => number;
  /** Only of tasks that have not ended, so that memory does not grow with what is done. */
  readonly #active: UntilRollback<Map<string, Ids>>;
  readonly #find: Statement<[number, string], Ids>;
  readonly #insert: Statement<Cell[]>;
  readonly #again: Statement<Cell[]>;
  readonly #forgetUses: Statement<[number]>;
  readonly #endDoubt: Statement<[number]>;
  readonly #details: Statement<[number, string, string]>;
  readonly #use: Statement<Cell[]>;
  readonly #make: Statement<Cell[]>;
  readonly #move: Statement<[TaskState, number]>;
  readonly #measured: Statement<[number], string | null>;
  readonly #measure: Statement<[string, number]>;
  readonly #end: Statement<Cell[]>;
  readonly #inherit: Statement<Cell[]>;

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
    this.#find = db.prepare("SELECT id, stage_id AS stageId FROM tasks WHERE run_id = ? AND name = ?");
    this.#insert = connection.statement(
      `INSERT INTO tasks (run_id, stage_id, name, index_path, state, cache_key, ready_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#again = connection.statement(
      `UPDATE tasks SET state = 'ready', cache_key = ?, ready_at = ?, ended_at = NULL, outputs = NULL, cause = NULL
       WHERE id = ?`,
    );
    this.#forgetUses = db.prepare("DELETE FROM used WHERE task_id = ?");
    this.#endDoubt = db.prepare("DELETE FROM doubts WHERE task_id = ?");
    this.#details = db.prepare("INSERT OR REPLACE INTO task_details (task_id, params, key_parts) VALUES (?, ?, ?)");
    this.#use = connection.statement(
      "INSERT INTO used (task_id, name, artifact_id, splits, carried) VALUES (?, ?, ?, ?, ?)",
    );
    this.#make = connection.statement(
      "INSERT OR REPLACE INTO made (task_id, name, artifact_id, stage_id, splits) VALUES (?, ?, ?, ?, ?)",
    );
    this.#move = db.prepare("UPDATE tasks SET state = ? WHERE id = ? AND ended_at IS NULL");
    this.#measured = db.prepare<[number], string | null>("SELECT metrics FROM tasks WHERE id = ?").pluck();
    this.#measure = db.prepare("UPDATE tasks SET metrics = ? WHERE id = ?");
    this.#end = connection.statement(
      `UPDATE tasks SET state = ?, ended_at = ?, cached_from_run = ?, cached_from_task = ?, outputs = ?, cause = ?
       WHERE id = ?`,
    );
    this.#inherit = connection.statement(
      `UPDATE tasks SET metrics = (
         SELECT metrics FROM tasks WHERE run_id = (SELECT id FROM runs WHERE name = ?) AND name = ?
       ) WHERE id = ?`,
    );
  }

  idOf(task: string): number {
    return this.#known(task).id;
  }

  ready(fact: TaskReady): void {
    const ids = this.#enter(fact.task, fact.stage, fact.index, fact.key);
    const { id } = ids;
    this.#active.value.set(fact.task, ids);
    this.#details.run(id, JSON.stringify(fact.params ?? {}), JSON.stringify(fact.parts));
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

  /** What a slice of the task reported: what it did not report again is still what earlier ones said. */
  measuredFurther(id: number, metrics: Metrics): void {
    const before = parseMetrics(this.#measured.get(id) ?? null);
    const known = Object.entries(metrics).filter(([name, value]) => value !== null || !Object.hasOwn(before, name));
    this.measured(id, { ...before, ...Object.fromEntries(known) });
  }

  ended(fact: TaskEnded): void {
    const { id, stageId } = this.#look(fact.task) ?? this.#enterSkipped(fact);
    const { state, cachedFrom, outputs, cause } = fact;
    this.#end.run(
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
      this.#make.run(id, name, this.#artifacts.idOf(value), stageId, splits);
    }
    // Whatever else ends was ready before, or upheld: of what is skipped, this is the first word since the doubt.
    if (state === "skipped") this.#endDoubt.run(id);
    if (cachedFrom !== undefined) this.#inherit.run(cachedFrom.run, cachedFrom.task, id);
    this.#active.value.delete(fact.task);
  }

  #enter(task: string, stage: string, index: readonly number[], key: string | null): Ids {
    const now = this.#now();
    const stageId = this.#stageId(stage);
    const row = this.#insert.run(this.#run, stageId, task, JSON.stringify(index), "ready", key, now);
    if (row.changes === 1) return { id: Number(row.lastInsertRowid), stageId };
    const ids = this.#known(task);
    this.#again.run(key, now, ids.id);
    this.#forgetUses.run(ids.id);
    this.#endDoubt.run(ids.id);
    return ids;
  }

  #enterSkipped({ task, stage, index }: TaskEnded): Ids {
    if (stage === undefined || index === undefined) return this.#known(task);
    const stageId = this.#stageId(stage);
    const row = this.#insert.run(this.#run, stageId, task, JSON.stringify(index), "skipped", null, null);
    return { id: Number(row.lastInsertRowid), stageId };
  }

  #look(task: string): Ids | undefined {
    return this.#active.value.get(task) ?? this.#find.get(this.#run, task);
  }

  #known(task: string): Ids {
    const ids = this.#look(task);
    if (ids === undefined) throw new WfError("WF_INTERNAL", `Task ${task} is not in the store yet.`);
    return ids;
  }
}
