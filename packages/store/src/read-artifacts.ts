import type { Value } from "@wf/protocol";
import type { Connection } from "./connection.ts";

/** What the store knows of content that was used or made. */
export interface StoredArtifact {
  readonly hash: string;
  readonly kind: Exclude<Value["kind"], "absent">;
  readonly sizeBytes: number;
  readonly files: number | null;
  readonly rows: number | null;
  /** Items of a list, those that occur twice counted twice. */
  readonly items: number | null;
  /** Name of a file when it was first seen. */
  readonly name: string | null;
}

export const ARTIFACT_COLUMNS = `artifacts.hash, artifacts.kind, artifacts.size_bytes AS sizeBytes, artifacts.files, artifacts.rows,
  artifacts.items, artifacts.name`;

export function readArtifact(connection: Connection, hash: string, kind: string): StoredArtifact | undefined {
  const read = connection.db.prepare<[string, string], StoredArtifact>(
    `SELECT ${ARTIFACT_COLUMNS} FROM artifacts WHERE hash = ? AND kind = ?`,
  );
  return connection.read(() => read.get(hash, kind));
}

/** What a list consists of, nested lists laid flat, each content where it first stands. */
export function listItems(connection: Connection, listHash: string): StoredArtifact[] {
  const read = connection.db.prepare<[string], StoredArtifact>(
    `SELECT ${ARTIFACT_COLUMNS} FROM artifacts AS list JOIN origins ON origins.artifact_id = list.id
     JOIN artifacts ON artifacts.id = origins.origin_id
     WHERE list.hash = ? AND list.kind = 'list' AND position IS NOT NULL ORDER BY position`,
  );
  return connection.read(() => read.all(listHash));
}
