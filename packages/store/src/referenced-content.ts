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
        `SELECT hash, kind FROM artifacts WHERE kind <> 'list'
         UNION ALL SELECT DISTINCT source, 'expansion' FROM expansions WHERE source NOT IN (SELECT hash FROM artifacts)`,
      )
      .all(),
  );
}

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
