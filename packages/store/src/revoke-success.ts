import type { TaskRecord } from "@wf/protocol";
import type { Connection } from "./connection.ts";
import { SPARED_BY } from "./past-successes.ts";
import { RevocationTable } from "./revocation-table.ts";

export interface RevokedSuccess {
  readonly task: string;
  readonly attempt: string;
  readonly failure: NonNullable<TaskRecord["failure"]>;
}

interface TaskRow {
  readonly id: number;
  readonly runId: number;
}

const UNFINISHED = { code: "WF_TASK_FAILED", message: "a task that seemed to have succeeded had been killed" };

/**
 * A success turns out to be none long after its run has ended: it leaves the cache, also where other runs had reused it.
 * What all of these runs did is in doubt then, as after a revocation under way, and those that had succeeded can be resumed.
 * `canChange`: nobody runs the run. Returns the other runs that were changed.
 */
export function revokeSuccess(
  connection: Connection,
  runId: number,
  { task, attempt, failure }: RevokedSuccess,
  canChange: (runId: number) => boolean,
): number[] {
  const { db } = connection;
  return connection.write(() => {
    const found = db
      .prepare<[number, string], TaskRow>("SELECT id, run_id AS runId FROM tasks WHERE run_id = ? AND name = ?")
      .get(runId, task) as TaskRow;
    const spared = db
      .prepare<[number], TaskRow>(
        `SELECT other.id, other.run_id AS runId FROM tasks JOIN tasks other ON ${SPARED_BY} WHERE tasks.id = ?`,
      )
      .all(found.id);
    db.prepare(
      `UPDATE attempts SET state = 'failed', failure_class = ?, failure_message = ? WHERE task_id = ? AND name = ?`,
    ).run(failure.class, failure.message, found.id, attempt);
    const changed = [found, ...spared.filter((other) => canChange(other.runId))];
    for (const { id, runId: its } of changed) {
      new RevocationTable(its, connection).revoke(id);
      db.prepare("UPDATE tasks SET cached_from_run = NULL, cached_from_task = NULL WHERE id = ?").run(id);
      db.prepare("UPDATE runs SET status = 'stopped', error = ? WHERE id = ? AND status = 'succeeded'").run(
        JSON.stringify(UNFINISHED),
        its,
      );
    }
    // What a run under way has reused stays there, but stands for nothing.
    for (const { id } of spared) db.prepare("DELETE FROM cache WHERE task_id = ?").run(id);
    return [...new Set(changed.map((one) => one.runId))].filter((its) => its !== runId);
  });
}
