import type { Connection } from "./connection.ts";
import { removingUnreferenced } from "./unreferenced-artifacts.ts";

/**
 * Removes a run and what only it refers to. A cache entry that stands on it passes to the newest other task with the
 * same key and a result; without one the entry goes. Registered models stay. Content is left to the garbage collection.
 */
export function deleteRun(connection: Connection, runId: number): void {
  const { db } = connection;
  connection.write(() => {
    removingUnreferenced(connection, ARTIFACTS_OF_RUN, { runId }, () => {
      passCacheEntries(connection, runId);
      db.prepare("DELETE FROM runs WHERE id = ?").run(runId);
      db.exec("DELETE FROM workflows WHERE id NOT IN (SELECT workflow_id FROM runs)");
    });
  });
}

const ARTIFACTS_OF_RUN = `
  SELECT artifact_id FROM used JOIN tasks ON tasks.id = task_id WHERE run_id = @runId AND artifact_id IS NOT NULL
  UNION SELECT artifact_id FROM made JOIN tasks ON tasks.id = task_id WHERE run_id = @runId AND artifact_id IS NOT NULL
  UNION SELECT artifact_id FROM run_artifacts WHERE run_id = @runId AND artifact_id IS NOT NULL
  UNION SELECT artifact_id FROM pictures JOIN attempts ON attempts.id = attempt_id JOIN tasks ON tasks.id = task_id
  WHERE run_id = @runId
  UNION SELECT checkpoint_id FROM slices JOIN attempts ON attempts.id = attempt_id JOIN tasks ON tasks.id = task_id
  WHERE run_id = @runId AND checkpoint_id IS NOT NULL`;

function passCacheEntries(connection: Connection, runId: number): void {
  connection.db
    .prepare(
      `WITH heirs AS (
         SELECT cache_key, max(id) AS id FROM tasks
         WHERE run_id <> @runId AND state IN ('done', 'cached') AND id NOT IN (SELECT task_id FROM unconfirmed)
           AND cache_key IN (
           SELECT key FROM cache JOIN tasks ON tasks.id = cache.task_id WHERE run_id = @runId
         )
         GROUP BY cache_key
       )
       UPDATE cache SET task_id = heirs.id FROM heirs WHERE heirs.cache_key = cache.key`,
    )
    .run({ runId });
}
