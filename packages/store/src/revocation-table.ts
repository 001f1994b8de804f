import type { Statement } from "better-sqlite3";
import type { Cell, Connection } from "./connection.ts";
import type { TaskState } from "./states.ts";

/** A task that ended well in a job of which nobody knows yet how it ended. */
export interface UnconfirmedTask {
  readonly task: string;
  readonly attempt: string;
  readonly number: number;
}

/** A task that may stand on a success that was revoked. */
export interface DoubtedTask {
  readonly state: TaskState;
  /** The key with which it still stands; null if it has none. */
  readonly key: string | null;
}

const OUTDATED = "it stood on the result of a task that turned out to have been killed";

/** Which successes of a run are provisional, and what is in doubt since one was revoked. Always called inside a transaction. */
export class RevocationTable {
  readonly #run: number;
  readonly #insert: Statement<[number, string]>;
  readonly #confirm: Statement<Cell[]>;
  readonly #forget: readonly Statement<[number]>[];
  readonly #doubtAll: Statement<Cell[]>;
  readonly #uphold: Statement<[number]>;
  readonly #dropped: Statement<Cell[]>;
  readonly #skipDoubted: Statement<Cell[]>;
  readonly #setAside: readonly Statement<[number]>[];

  constructor(run: number, connection: Connection) {
    const { db } = connection;
    this.#run = run;
    this.#insert = db.prepare("INSERT OR REPLACE INTO unconfirmed (task_id, attempt) VALUES (?, ?)");
    this.#confirm = connection.statement("DELETE FROM unconfirmed WHERE task_id = ? AND attempt = ?");
    this.#forget = [
      "UPDATE tasks SET state = 'ready', ended_at = NULL, outputs = NULL WHERE id = ?",
      "DELETE FROM unconfirmed WHERE task_id = ?",
      "DELETE FROM cache WHERE task_id = ?",
      "DELETE FROM made WHERE task_id = ?",
    ].map((sql) => db.prepare(sql));
    this.#doubtAll = connection.statement(
      "INSERT INTO doubts (task_id, key) SELECT id, cache_key FROM tasks WHERE run_id = ? ON CONFLICT DO NOTHING",
    );
    this.#uphold = db.prepare("DELETE FROM doubts WHERE task_id = ?");
    this.#dropped = connection.statement(
      `UPDATE attempts SET state = 'failed', ended_at = ?, failure_class = 'cancelled', failure_message = ?
       WHERE task_id = ? AND name = ?`,
    );
    this.#skipDoubted = connection.statement(
      `UPDATE tasks SET state = 'skipped', outputs = NULL, cause = ?
       WHERE run_id = ? AND id IN (SELECT task_id FROM doubts)`,
    );
    this.#setAside = [
      "UPDATE slices SET checkpoint_id = NULL WHERE attempt_id IN (SELECT id FROM attempts WHERE task_id = ?)",
      "DELETE FROM doubts WHERE task_id = ?",
    ].map((sql) => db.prepare(sql));
  }

  provisional(taskId: number, attempt: string): void {
    this.#insert.run(taskId, attempt);
  }

  confirm(taskId: number, attempt: string): void {
    this.#confirm.run(taskId, attempt);
  }

  /** The task has not ended, and whatever else the run has come to is in doubt. */
  revoke(taskId: number): void {
    for (const statement of this.#forget) statement.run(taskId);
    this.#doubtAll.run(this.#run);
  }

  uphold(taskId: number): void {
    this.#uphold.run(taskId);
  }

  /** Nothing of it counts, neither its result nor a checkpoint. */
  setAside(taskId: number): void {
    for (const statement of [...this.#forget, ...this.#setAside]) statement.run(taskId);
  }

  dropAttempt(taskId: number, attempt: string, now: number): void {
    this.#dropped.run(now, OUTDATED, taskId, attempt);
  }

  /** The run has ended well without them: the graph has not grown there again. */
  skipDoubted(): void {
    this.#skipDoubted.run(JSON.stringify({ root: "", message: OUTDATED }), this.#run);
  }
}

/** The same for reading. */
export class RevocationMemory {
  readonly #run: number;
  readonly #unconfirmed: Statement<[number], UnconfirmedTask>;
  readonly #any: Statement<[number]>;
  readonly #doubt: Statement<[number, string], DoubtedTask>;

  constructor(run: number, { db }: Connection) {
    this.#run = run;
    this.#unconfirmed = db.prepare(
      `SELECT tasks.name AS task, attempts.name AS attempt, attempts.number FROM unconfirmed
       JOIN tasks ON tasks.id = unconfirmed.task_id
       JOIN attempts ON attempts.task_id = tasks.id AND attempts.name = unconfirmed.attempt
       WHERE run_id = ? ORDER BY tasks.id`,
    );
    this.#any = db.prepare("SELECT 1 FROM doubts JOIN tasks ON tasks.id = task_id WHERE run_id = ? LIMIT 1");
    // What was skipped has left nothing that could stand or be put out of the way.
    this.#doubt = db.prepare(
      `SELECT state, doubts.key FROM doubts JOIN tasks ON tasks.id = task_id
       WHERE run_id = ? AND tasks.name = ? AND state <> 'skipped'`,
    );
  }

  unconfirmed(): UnconfirmedTask[] {
    return this.#unconfirmed.all(this.#run);
  }

  hasDoubts(): boolean {
    return this.#any.get(this.#run) !== undefined;
  }

  doubtOf(task: string): DoubtedTask | undefined {
    return this.#doubt.get(this.#run, task);
  }
}
