import type { Account } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { Cell, Connection } from "./connection.ts";

export interface StoredAccount {
  readonly attempt: string;
  /** What the scheduler calls its job. */
  readonly queueJob: string;
  /** Null while the scheduler's accounting was not asked. */
  readonly account: Account | null;
}

export interface QueuedAttempt {
  readonly task: string;
  readonly attempt: string;
  readonly queueJob: string;
}

interface Row {
  readonly attempt: string;
  readonly queue_job: string;
  readonly state: string | null;
  readonly nodes: string | null;
  readonly wait_seconds: number | null;
  readonly wall_seconds: number | null;
  readonly cpu_seconds: number | null;
  readonly peak_memory_bytes: number | null;
  readonly received_bytes: number | null;
  readonly sent_bytes: number | null;
  readonly starts: number | null;
}

/** Attempts of one run in the queue of a scheduler, and what its accounting says of them. */
export class AccountTable {
  readonly #connection: Connection;
  readonly #run: number;
  readonly #queue: Statement<Cell[]>;
  readonly #account: Statement<Cell[]>;

  constructor(run: number, connection: Connection) {
    this.#connection = connection;
    this.#run = run;
    this.#queue = connection.statement(
      `INSERT INTO accounts (attempt_id, queue_job) SELECT attempts.id, ? FROM attempts
       JOIN tasks ON tasks.id = task_id WHERE run_id = ? AND tasks.name = ? AND attempts.name = ?
       ON CONFLICT DO UPDATE SET queue_job = excluded.queue_job`,
    );
    this.#account = connection.statement(
      `UPDATE accounts SET state = ?, nodes = ?, wait_seconds = ?, wall_seconds = ?, cpu_seconds = ?,
         peak_memory_bytes = ?, received_bytes = ?, sent_bytes = ?, starts = ?
       WHERE queue_job = ? AND attempt_id IN
         (SELECT attempts.id FROM attempts JOIN tasks ON tasks.id = task_id WHERE run_id = ?)`,
    );
  }

  queued({ task, attempt, queueJob }: QueuedAttempt): void {
    this.#queue.run(queueJob, this.#run, task, attempt);
  }

  /** Tells of all attempts that shared the job. */
  accounted(queueJob: string, account: Account): void {
    const { state, nodes, waitSeconds, wallSeconds, cpuSeconds, peakMemoryBytes } = account;
    const { receivedBytes, sentBytes, starts } = account;
    const figures = [waitSeconds, wallSeconds, cpuSeconds, peakMemoryBytes, receivedBytes, sentBytes, starts];
    this.#account.run(state, nodes, ...figures, queueJob, this.#run);
  }

  /** Jobs whose attempts all ended before the time (Unix seconds), and which nobody has asked about. */
  unasked(endedBefore: number): string[] {
    return this.#connection
      .statement<{ queue_job: string }>(
        `SELECT queue_job FROM accounts JOIN attempts ON attempts.id = attempt_id JOIN tasks ON tasks.id = task_id
         WHERE accounts.state IS NULL AND run_id = ?
         GROUP BY queue_job HAVING max(ifnull(attempts.ended_at, 1e12)) < ?`,
      )
      .all(this.#run, endedBefore)
      .map(({ queue_job }) => queue_job);
  }

  of(task: string): StoredAccount[] {
    return this.#connection
      .statement<Row>(
        `SELECT attempts.name AS attempt, accounts.* FROM accounts JOIN attempts ON attempts.id = attempt_id
         JOIN tasks ON tasks.id = task_id WHERE run_id = ? AND tasks.name = ? ORDER BY attempts.number`,
      )
      .all(this.#run, task)
      .map((row) => ({ attempt: row.attempt, queueJob: row.queue_job, account: accountOf(row) }));
  }
}

function accountOf({ state, nodes, starts, ...row }: Row): Account | null {
  if (state === null) return null;
  return {
    state,
    nodes,
    waitSeconds: row.wait_seconds,
    wallSeconds: row.wall_seconds,
    cpuSeconds: row.cpu_seconds,
    peakMemoryBytes: row.peak_memory_bytes,
    receivedBytes: row.received_bytes,
    sentBytes: row.sent_bytes,
    starts,
  };
}
