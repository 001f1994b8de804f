import type { Connection } from "./connection.ts";
import { removingUnreferenced } from "./unreferenced-artifacts.ts";

interface Named {
  readonly model: string;
  readonly version: number;
}

const VERSION = `SELECT model_versions.id FROM model_versions JOIN models ON models.id = model_id
  WHERE models.name = @model AND version = @version`;

/** A tag names one version of a model: it leaves the one that had it. */
export function tagModel(connection: Connection, { model, version }: Named, tag: string): void {
  connection.write(() =>
    connection.db
      .prepare(
        `INSERT OR REPLACE INTO model_tags (model_id, tag, version_id)
         SELECT models.id, @tag, (${VERSION}) FROM models WHERE name = @model`,
      )
      .run({ model, version, tag }),
  );
}

/** False if the model has no such tag. */
export function untagModel(connection: Connection, model: string, tag: string): boolean {
  return connection.write(
    () =>
      connection.db
        .prepare("DELETE FROM model_tags WHERE tag = ? AND model_id = (SELECT id FROM models WHERE name = ?)")
        .run(tag, model).changes > 0,
  );
}

/**
 * Its content is then kept by runs only. The number is not given again. As with `deleteRun`, no run may be under way:
 * its journal remembers the rows of artifacts.
 */
export function removeModel(connection: Connection, { model, version }: Named): void {
  const values = { model, version };
  connection.write(() =>
    removingUnreferenced(
      connection,
      `SELECT artifact_id FROM model_versions WHERE id = (${VERSION})`,
      values,
      () => void connection.db.prepare(`DELETE FROM model_versions WHERE id = (${VERSION})`).run(values),
    ),
  );
}
