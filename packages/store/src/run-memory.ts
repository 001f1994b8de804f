import type { Json, Value } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { CachedResult, CacheTable } from "./cache-table.ts";
import type { Connection } from "./connection.ts";
import { type DoubtedTask, RevocationMemory, type UnconfirmedTask } from "./revocation-table.ts";
import { SliceMemory, type StoredProgress } from "./slice-table.ts";
import type { Metrics, TaskState } from "./states.ts";
import { parseMetrics, parseOutputs } from "./stored-values.ts";

export interface OpenAttempt {
  readonly task: string;
  readonly attempt: string;
  readonly job: string;
  readonly number: number;
}

interface TaskRow {
  readonly state: TaskState;
  readonly outputs: string | null;
  readonly metrics: string | null;
  readonly cause: string | null;
}

export interface RememberedTask {
  readonly state: TaskState;
  readonly outputs: Readonly<Record<string, Value>>;
  readonly metrics: Metrics;
  /** Why it failed or was not run, as the engine put it. */
  readonly cause: Json | null;
}

/** What a resumed engine asks of its run, and every engine of the cache. */
export class RunMemory {
  readonly #run: number;
  readonly #connection: Connection;
  readonly #cache: CacheTable;
  readonly #task: Statement<[number, string], TaskRow>;
  readonly #open: Statement<[number], OpenAttempt>;
  readonly #attempts: Statement<[number, string], number>;
  readonly #accountedMemory: Statement<[number, string], number | null>;
  readonly #failures: Statement<[number, string], string>;
  readonly #slices: SliceMemory;
  readonly #revocations: RevocationMemory;
  readonly #expansion: Statement<[number, string, string], { count: number; source: string }>;

  constructor(run: number, connection: Connection, cache: CacheTable) {
    const { db } = connection;
    this.#run = run;
    this.#connection = connection;
    this.#cache = cache;
    this.#task = db.prepare("SELECT state, outputs, metrics, cause FROM tasks WHERE run_id = ? AND name = ?");
    this.#open = db.prepare(
      `SELECT tasks.name AS task, attempts.name AS attempt, jobs.name AS job, attempts.number
       FROM attempts JOIN tasks ON tasks.id = attempts.task_id JOIN jobs ON jobs.id = attempts.job_id
       WHERE attempts.ended_at IS NULL AND tasks.run_id = ? ORDER BY attempts.id`,
    );
    this.#attempts = db
      .prepare<[number, string], number>(
        `SELECT max(attempts.number) FROM attempts JOIN tasks ON tasks.id = attempts.task_id
         WHERE tasks.run_id = ? AND tasks.name = ?`,
      )
      .pluck();
    this.#accountedMemory = db
      .prepare<[number, string], number | null>(
        `SELECT max(accounts.peak_memory_bytes) FROM accounts JOIN attempts ON attempts.id = attempt_id
         JOIN tasks ON tasks.id = attempts.task_id WHERE tasks.run_id = ? AND tasks.name = ? AND NOT EXISTS
           (SELECT 1 FROM attempts other WHERE other.job_id = attempts.job_id AND other.id <> attempts.id)`,
      )
      .pluck();
    this.#failures = db
      .prepare<[number, string], string>(
        `SELECT failure_class FROM attempts JOIN tasks ON tasks.id = attempts.task_id
         WHERE tasks.run_id = ? AND tasks.name = ? AND failure_class IS NOT NULL ORDER BY attempts.number`,
      )
      .pluck();
    this.#slices = new SliceMemory(connection);
    this.#revocations = new RevocationMemory(run, connection);
    this.#expansion = db.prepare("SELECT count, source FROM expansions WHERE run_id = ? AND node = ? AND path = ?");
  }

  /** Undefined if the task was neither ready nor skipped so far. */
  task(name: string): RememberedTask | undefined {
    return this.#connection.read(() => {
      const row = this.#task.get(this.#run, name);
      return (
        row && {
          state: row.state,
          outputs: parseOutputs(row.outputs),
          metrics: parseMetrics(row.metrics),
          cause: row.cause === null ? null : (JSON.parse(row.cause) as Json),
        }
      );
    });
  }

  /** Attempts that were handed over, or were about to be, and have no record in the store. */
  openAttempts(): OpenAttempt[] {
    return this.#connection.read(() => this.#open.all(this.#run));
  }

  /** Successes of which nobody knows yet how their jobs ended. */
  unconfirmed(): UnconfirmedTask[] {
    return this.#connection.read(() => this.#revocations.unconfirmed());
  }

  /** Whether a success was revoked, and the run has not come to all that it had done before. */
  hasDoubts(): boolean {
    return this.#connection.read(() => this.#revocations.hasDoubts());
  }

  doubtOf(task: string): DoubtedTask | undefined {
    return this.#connection.read(() => this.#revocations.doubtOf(task));
  }

  /** The number of the last attempt; 0 if there was none. */
  attemptsOf(task: string): number {
    return this.#connection.read(() => this.#attempts.get(this.#run, task) ?? 0);
  }

  /** The most memory that accounting counted for its attempts, as far as it was asked. Jobs of several tasks do not tell. */
  accountedMemoryOf(task: string): number | null {
    return this.#connection.read(() => this.#accountedMemory.get(this.#run, task) ?? null);
  }

  /** The failure classes of the task's failed attempts, in order. */
  failuresOf(task: string): string[] {
    return this.#connection.read(() => this.#failures.all(this.#run, task));
  }

  /** The newest checkpoint of a resumable task; undefined while there is none. */
  progressOf(task: string): StoredProgress | undefined {
    return this.#connection.read(() => this.#slices.of(this.#run, task));
  }

  expansion(node: string, path: readonly number[]): { readonly count: number; readonly source: string } | undefined {
    return this.#connection.read(() => this.#expansion.get(this.#run, node, JSON.stringify(path)));
  }

  cached(key: string): CachedResult | undefined {
    return this.#cache.get(key);
  }
}
