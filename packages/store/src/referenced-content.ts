import type { Connection } from "./connection.ts";
import { deleteRun } from "./delete-run.ts";

export interface ContentReference {
  readonly hash: string;
  /** `expansion`: what a node was expanded over, where that is not an artifact; it need not exist as content. */
  readonly kind: "file" | "directory" | "dataset" | "json" | "expansion";
}

/**
 * The content that a run or the cache may still need. A directory or dataset is named by its manifest: what that
 * lists is needed as well. A list has no content of its own; its items are named one by one.
 */
export function listReferencedContent(connection: Connection): ContentReference[] {
  return connection.read(() =>
    connection.db
      .prepare<[], ContentReference>(
        `SELECT hash, kind FROM artifacts WHERE kind <> 'list' AND id NOT IN (${OUTDATED_CHECKPOINTS})
         UNION ALL SELECT DISTINCT source, 'expansion' FROM expansions WHERE source NOT IN (SELECT hash FROM artifacts)`,
      )
      .all(),
  );
}

/** Checkpoints that nothing goes on from any more, and that are nothing else. */
const OUTDATED_CHECKPOINTS = `
  SELECT checkpoint_id FROM slices WHERE checkpoint_id IS NOT NULL
  EXCEPT SELECT checkpoint_id FROM (
    SELECT checkpoint_id, max(attempts.number) FROM slices
    JOIN attempts ON attempts.id = attempt_id JOIN tasks ON tasks.id = task_id
    WHERE checkpoint_id IS NOT NULL AND tasks.state NOT IN ('done', 'cached') GROUP BY task_id
  )
  EXCEPT SELECT artifact_id FROM used
  EXCEPT SELECT artifact_id FROM made
  EXCEPT SELECT artifact_id FROM run_artifacts
  EXCEPT SELECT artifact_id FROM pictures
  EXCEPT SELECT artifact_id FROM model_versions
  EXCEPT SELECT origin_id FROM origins`;

/** What would be left of it if those runs were deleted. They are, inside of a transaction that is then undone. */
export function listReferencedContentWithout(connection: Connection, runIds: readonly number[]): ContentReference[] {
  let references: ContentReference[] = [];
  const undo = new Error("undo");
  try {
    connection.write(() => {
      for (const id of runIds) deleteRun(connection, id);
      references = listReferencedContent(connection);
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return references;
}
