import type { Connection } from "./connection.ts";

/**
 * Lets `work` drop references, then removes the artifacts that nothing refers to any more among those that `select`
 * finds beforehand, and among what these consist of.
 */
export function removingUnreferenced(connection: Connection, select: string, values: object, work: () => void): void {
  const { db } = connection;
  db.exec("CREATE TEMP TABLE candidates (id INTEGER PRIMARY KEY)");
  db.prepare(`INSERT OR IGNORE INTO candidates ${select}`).run(values);
  db.exec("INSERT OR IGNORE INTO candidates SELECT origin_id FROM origins JOIN candidates ON id = artifact_id");
  work();
  const remove = db.prepare(
    `DELETE FROM artifacts WHERE id IN (SELECT id FROM candidates)
       AND NOT EXISTS (SELECT 1 FROM used WHERE used.artifact_id = artifacts.id)
       AND NOT EXISTS (SELECT 1 FROM made WHERE made.artifact_id = artifacts.id)
       AND NOT EXISTS (SELECT 1 FROM run_artifacts WHERE run_artifacts.artifact_id = artifacts.id)
       AND NOT EXISTS (SELECT 1 FROM pictures WHERE pictures.artifact_id = artifacts.id)
       AND NOT EXISTS (SELECT 1 FROM slices WHERE slices.checkpoint_id = artifacts.id)
       AND NOT EXISTS (SELECT 1 FROM model_versions WHERE model_versions.artifact_id = artifacts.id)
       AND NOT EXISTS (SELECT 1 FROM origins WHERE origin_id = artifacts.id)`,
  );
  // A list goes before its items, so it takes one round for each level.
  while (remove.run().changes > 0);
  db.exec("DROP TABLE candidates");
}
