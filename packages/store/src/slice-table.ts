import { DirectoryValue, FileValue, type TaskRecord } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { ArtifactTable } from "./artifact-table.ts";
import type { Cell, Connection } from "./connection.ts";

type Checkpoint = NonNullable<TaskRecord["checkpoint"]>;

/** Which part of a resumable task's work an attempt is, and what it left. Always called inside a transaction. */
export class SliceTable {
  readonly #artifacts: ArtifactTable;
  readonly #insert: Statement<[number, number]>;
  readonly #find: Statement<[number]>;
  readonly #leave: Statement<Cell[]>;

  constructor(connection: Connection, artifacts: ArtifactTable) {
    this.#artifacts = artifacts;
    this.#insert = connection.db.prepare("INSERT OR REPLACE INTO slices (attempt_id, slice) VALUES (?, ?)");
    this.#find = connection.db.prepare("SELECT slice FROM slices WHERE attempt_id = ?");
    this.#leave = connection.statement("UPDATE slices SET checkpoint_id = ?, file = ? WHERE attempt_id = ?");
  }

  has(attemptId: number): boolean {
    return this.#find.get(attemptId) !== undefined;
  }

  begin(attemptId: number, slice: number): void {
    this.#insert.run(attemptId, slice);
  }

  leave(attemptId: number, checkpoint: Checkpoint): void {
    const file = checkpoint.kind === "file" ? checkpoint.name : null;
    this.#leave.run(this.#artifacts.idOf(checkpoint), file, attemptId);
  }
}

/** How far a resumable task has come. */
export interface StoredProgress {
  /** The newest slice that left a checkpoint. */
  readonly slice: number;
  readonly checkpoint: Checkpoint;
}

interface Row {
  readonly slice: number;
  readonly kind: string;
  readonly hash: string;
  readonly size: number;
  readonly files: number | null;
  readonly name: string | null;
}

export class SliceMemory {
  readonly #newest: Statement<[number, string], Row>;

  constructor(connection: Connection) {
    this.#newest = connection.db.prepare(
      `SELECT slice, kind, hash, size_bytes AS size, files, file AS name FROM slices
       JOIN attempts ON attempts.id = attempt_id JOIN tasks ON tasks.id = task_id
       JOIN artifacts ON artifacts.id = checkpoint_id
       WHERE run_id = ? AND tasks.name = ? ORDER BY attempts.number DESC LIMIT 1`,
    );
  }

  of(runId: number, task: string): StoredProgress | undefined {
    const row = this.#newest.get(runId, task);
    if (row === undefined) return undefined;
    const checkpoint = row.kind === "file" ? FileValue.parse(row) : DirectoryValue.parse(row);
    return { slice: row.slice, checkpoint };
  }
}
