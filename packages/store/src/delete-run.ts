import type { Connection } from "./connection.ts";

/**
 * Removes a run and what only it refers to. A cache entry that stands on it passes to the newest other task with the
 * same key and a result; without one the entry goes. Content is left to the garbage collection.
 */
export function deleteRun(connection: Connection, runId: number): void {
  const { db } = connection;
  connection.write(() => {
    db.exec("CREATE TEMP TABLE candidates (id INTEGER PRIMARY KEY)");
    db.prepare(
      `INSERT OR IGNORE INTO candidates
       SELECT artifact_id FROM used JOIN tasks ON tasks.id = task_id WHERE run_id = @runId AND artifact_id IS NOT NULL
       UNION SELECT artifact_id FROM made JOIN tasks ON tasks.id = task_id WHERE run_id = @runId AND artifact_id IS NOT NULL
       UNION SELECT artifact_id FROM run_artifacts WHERE run_id = @runId AND artifact_id IS NOT NULL`,
    ).run({ runId });
    db.exec("INSERT OR IGNORE INTO candidates SELECT origin_id FROM origins JOIN candidates ON id = artifact_id");
    passCacheEntries(connection, runId);
    db.prepare("DELETE FROM runs WHERE id = ?").run(runId);
    db.exec("DELETE FROM workflows WHERE id NOT IN (SELECT workflow_id FROM runs)");
    removeUnreferencedArtifacts(connection);
    db.exec("DROP TABLE candidates");
  });
}

function passCacheEntries(connection: Connection, runId: number): void {
  connection.db
    .prepare(
      `WITH heirs AS (
         SELECT cache_key, max(id) AS id FROM tasks
         WHERE run_id <> @runId AND state IN ('done', 'cached') AND cache_key IN (
           SELECT key FROM cache JOIN tasks ON tasks.id = cache.task_id WHERE run_id = @runId
         )
         GROUP BY cache_key
       )
       UPDATE cache SET task_id = heirs.id FROM heirs WHERE heirs.cache_key = cache.key`,
    )
    .run({ runId });
}

/** A list goes before its items, so it takes one round for each level. */
function removeUnreferencedArtifacts(connection: Connection): void {
  const remove = connection.db.prepare(
    `DELETE FROM artifacts WHERE id IN (SELECT id FROM candidates)
       AND NOT EXISTS (SELECT 1 FROM used WHERE used.artifact_id = artifacts.id)
       AND NOT EXISTS (SELECT 1 FROM made WHERE made.artifact_id = artifacts.id)
       AND NOT EXISTS (SELECT 1 FROM run_artifacts WHERE run_artifacts.artifact_id = artifacts.id)
       AND NOT EXISTS (SELECT 1 FROM origins WHERE origin_id = artifacts.id)`,
  );
  while (remove.run().changes > 0);
}
