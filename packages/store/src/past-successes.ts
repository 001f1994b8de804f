import type { Connection } from "./connection.ts";

/** A task whose success, in a job of a scheduler, stands in the cache. Times are Unix seconds. */
export interface PastSuccess {
  readonly task: string;
  readonly attempt: string;
  /** What the scheduler calls its job. */
  readonly queueJob: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** How many tasks shared the job. */
  readonly tasksInJob: number;
}

/** Other tasks that were spared because of this one, whatever run they are of. */
export const SPARED_BY =
  "other.cache_key = tasks.cache_key AND other.state = 'cached' AND other.outputs = tasks.outputs";

/** Those of one run. What its owner has not seen confirmed yet is left to it. */
export function listPastSuccesses(connection: Connection, runId: number): PastSuccess[] {
  return connection.read(() =>
    connection.db
      .prepare<[number], PastSuccess>(
        `SELECT tasks.name AS task, attempts.name AS attempt, queue_job AS queueJob,
           attempts.started_at AS startedAt, attempts.ended_at AS endedAt, jobs.tasks AS tasksInJob
         FROM tasks JOIN attempts ON attempts.task_id = tasks.id AND attempts.state = 'succeeded'
         JOIN accounts ON accounts.attempt_id = attempts.id JOIN jobs ON jobs.id = attempts.job_id
         WHERE tasks.run_id = ? AND tasks.state = 'done' AND attempts.started_at IS NOT NULL
           AND tasks.id NOT IN (SELECT task_id FROM unconfirmed)
           AND EXISTS (SELECT 1 FROM cache JOIN tasks other ON other.id = cache.task_id
             WHERE cache.key = tasks.cache_key AND (other.id = tasks.id OR (${SPARED_BY})))
         ORDER BY tasks.id`,
      )
      .all(runId),
  );
}
