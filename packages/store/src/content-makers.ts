import type { Connection } from "./connection.ts";

/** Where content came from: a task that made it, or an input of a run. */
export interface ContentMaker {
  readonly run: string;
  readonly task: string | null;
  readonly input: string | null;
}

export interface ContentRoot {
  readonly hash: string;
  readonly kind: "file" | "directory" | "dataset" | "json";
  /** Of a file or a value; of a directory or dataset, that of all its files. */
  readonly sizeBytes: number;
}

export function listMakers(connection: Connection, hash: string): ContentMaker[] {
  return connection.read(() =>
    connection.db
      .prepare<[string, string], ContentMaker>(
        `WITH found AS (
           SELECT id FROM artifacts WHERE hash = ?
           UNION SELECT artifact_id FROM origins WHERE origin_id IN (SELECT id FROM artifacts WHERE hash = ?)
         )
         SELECT runs.name AS run, tasks.name AS task, NULL AS input
         FROM made JOIN tasks ON tasks.id = made.task_id JOIN runs ON runs.id = tasks.run_id
         WHERE made.artifact_id IN (SELECT id FROM found) AND tasks.state = 'done'
         UNION SELECT runs.name, NULL, run_artifacts.name FROM run_artifacts JOIN runs ON runs.id = run_id
         WHERE role = 'input' AND artifact_id IN (SELECT id FROM found)
         ORDER BY 1, 2, 3`,
      )
      .all(hash, hash),
  );
}

/** What a run read and made, without lists, whose items are named one by one. */
export function listContentOfRun(connection: Connection, runId: number): ContentRoot[] {
  return connection.read(() =>
    connection.db
      .prepare<[{ readonly runId: number }], ContentRoot>(
        `WITH named AS (
           SELECT artifact_id AS id FROM used JOIN tasks ON tasks.id = task_id WHERE run_id = @runId
           UNION SELECT artifact_id FROM made JOIN tasks ON tasks.id = task_id WHERE run_id = @runId
           UNION SELECT artifact_id FROM run_artifacts WHERE run_id = @runId
         ), parts AS (SELECT id FROM named UNION SELECT origin_id FROM origins WHERE artifact_id IN (SELECT id FROM named))
         SELECT hash, kind, size_bytes AS sizeBytes FROM artifacts WHERE kind <> 'list' AND id IN (SELECT id FROM parts)`,
      )
      .all({ runId }),
  );
}

/** The newest first. */
export function listNewestContent(connection: Connection, limit: number): ContentRoot[] {
  return connection.read(() =>
    connection.db
      .prepare<[number], ContentRoot>(
        `SELECT hash, kind, size_bytes AS sizeBytes FROM artifacts WHERE kind <> 'list' ORDER BY id DESC LIMIT ?`,
      )
      .all(limit),
  );
}
