import type { DirectoryValue, FileValue } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { ArtifactTable } from "./artifact-table.ts";
import type { Clock } from "./clock.ts";
import type { Cell, Connection } from "./connection.ts";
import { lineageOf } from "./model-lineage.ts";

export interface ModelMetric {
  readonly value: number;
  /** Which splits of the data it was measured on. */
  readonly splits: readonly string[];
}

/** A model that a run came to. */
export interface ModelFact {
  readonly name: string;
  /** The workflow's output that it is. */
  readonly output: string;
  readonly value: FileValue | DirectoryValue;
  readonly splits: readonly string[];
  readonly metrics: Readonly<Record<string, ModelMetric>>;
}

export interface RegisteredVersion {
  readonly name: string;
  readonly version: number;
  /** False if the same content was registered before. */
  readonly isNew: boolean;
  readonly output: string;
  readonly metrics: Readonly<Record<string, ModelMetric>>;
}

/**
 * Registers the models of one run. Always called inside a transaction that holds the write lock, so that two
 * processes never give the same number.
 *
 * Laws: equal content under one name is one version; a number is given once, whatever is removed later; what was
 * said can be said again and changes nothing.
 */
export class ModelTable {
  readonly #run: number;
  readonly #connection: Connection;
  readonly #artifacts: ArtifactTable;
  readonly #now: Clock;
  readonly #find: Statement<[string, number], { id: number; version: number }>;
  readonly #next: Statement<[string], { id: number; last: number }>;
  readonly #insert: Statement<Cell[]>;
  readonly #see: Statement<Cell[]>;
  readonly #runName: Statement<[number], string>;

  constructor(run: number, connection: Connection, artifacts: ArtifactTable, now: Clock) {
    const { db } = connection;
    this.#run = run;
    this.#connection = connection;
    this.#artifacts = artifacts;
    this.#now = now;
    this.#find = db.prepare(
      `SELECT model_versions.id, version FROM model_versions JOIN models ON models.id = model_id
       WHERE models.name = ? AND artifact_id = ?`,
    );
    this.#next = db.prepare(
      `INSERT INTO models (name, last) VALUES (?, 1)
       ON CONFLICT (name) DO UPDATE SET last = last + 1 RETURNING id, last`,
    );
    this.#insert = connection.statement(
      "INSERT INTO model_versions (model_id, version, artifact_id, file, created_at) VALUES (?, ?, ?, ?, ?)",
    );
    this.#see = connection.statement(
      `INSERT OR REPLACE INTO model_sightings (version_id, run, output, at, metrics, lineage) VALUES (?, ?, ?, ?, ?, ?)`,
    );
    this.#runName = db.prepare<[number], string>("SELECT name FROM runs WHERE id = ?").pluck();
  }

  register(fact: ModelFact): RegisteredVersion {
    const { name, output, metrics, value } = fact;
    const artifactId = this.#artifacts.idOf(value) as number;
    const known = this.#find.get(name, artifactId);
    const { id, version } = known ?? this.#add(name, artifactId, value);
    const lineage = lineageOf(this.#connection, this.#run, { artifactId, splits: fact.splits });
    const run = this.#runName.get(this.#run) as string;
    this.#see.run(id, run, output, this.#now(), JSON.stringify(metrics), JSON.stringify(lineage));
    return { name, version, isNew: known === undefined, output, metrics };
  }

  #add(name: string, artifactId: number, value: FileValue | DirectoryValue): { id: number; version: number } {
    const { id: modelId, last } = this.#next.get(name) as { id: number; last: number };
    const file = value.kind === "file" ? value.name : null;
    const { lastInsertRowid } = this.#insert.run(modelId, last, artifactId, file, this.#now());
    return { id: Number(lastInsertRowid), version: last };
  }
}
