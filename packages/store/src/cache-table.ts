import type { Value } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { Clock } from "./clock.ts";
import type { Connection } from "./connection.ts";
import type { Metrics } from "./states.ts";
import { parseMetrics, parseOutputs } from "./stored-values.ts";

export interface CachedResult {
  readonly outputs: Readonly<Record<string, Value>>;
  /** The task that stands for the key. */
  readonly run: string;
  readonly task: string;
  /** The last value of each metric. */
  readonly metrics: Metrics;
}

interface Row {
  readonly outputs: string;
  readonly metrics: string | null;
  readonly run: string;
  readonly task: string;
}

/** From a key to the task whose outputs stand for it, across all runs. */
export class CacheTable {
  readonly #connection: Connection;
  readonly #now: Clock;
  readonly #get: Statement<[string], Row>;
  readonly #remember: Statement<[string, number, number, number]>;
  readonly #touch: Statement<[number, number]>;
  readonly #any: Statement<[]>;

  constructor(connection: Connection, now: Clock) {
    const { db } = connection;
    this.#connection = connection;
    this.#now = now;
    this.#get = db.prepare(
      `SELECT tasks.outputs, tasks.metrics, runs.name AS run, tasks.name AS task
       FROM cache JOIN tasks ON tasks.id = cache.task_id JOIN runs ON runs.id = tasks.run_id
       WHERE cache.key = ? AND tasks.state IN ('done', 'cached') AND tasks.outputs IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM unconfirmed WHERE unconfirmed.task_id = tasks.id)`,
    );
    this.#remember = db.prepare(
      `INSERT INTO cache (key, task_id, created_at, last_used_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET task_id = excluded.task_id, last_used_at = excluded.last_used_at`,
    );
    this.#any = db.prepare("SELECT 1 FROM cache LIMIT 1");
    this.#touch = db.prepare(
      `UPDATE cache SET last_used_at = ?
       WHERE key IN (SELECT cache_key FROM tasks WHERE run_id = ? AND state = 'cached')`,
    );
  }

  get isEmpty(): boolean {
    return this.#connection.read(() => this.#any.get() === undefined);
  }

  /** A success of which nobody knows yet how its job ended stands for nothing. */
  get(key: string): CachedResult | undefined {
    return this.#connection.read(() => {
      const row = this.#get.get(key);
      return row && { ...row, outputs: parseOutputs(row.outputs), metrics: parseMetrics(row.metrics) };
    });
  }

  /** The newest task wins: it is the likelier one to be kept. */
  remember(key: string, taskId: number): void {
    const now = this.#now();
    this.#remember.run(key, taskId, now, now);
  }

  /** Once for a whole run: entries lie scattered, and writing them one by one costs more than the look-up spared. */
  touchUsedBy(runId: number): void {
    this.#touch.run(this.#now(), runId);
  }
}
