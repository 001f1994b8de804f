import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { WfError } from "@wf/protocol";
import SQLite, { type Database, type Statement } from "better-sqlite3";
import { migrate, NEWEST_VERSION, schemaVersion } from "./migrate.ts";
import { type ReadFileSystemType, refuseNetworkFileSystem } from "./network-file-system.ts";
import { explainFailure } from "./sqlite-failure.ts";

/** What a column of the schema holds. */
export type Cell = string | number | null;

const BUSY_TIMEOUT_MS = 20_000;

/** One open database file. Everything that fails in `read` and `write` is explained. */
export class Connection {
  readonly db: Database;
  readonly file: string;
  readonly #transaction: SQLite.Transaction<(work: () => unknown) => unknown>;
  #rollbacks = 0;

  constructor(db: Database, file: string) {
    this.db = db;
    this.file = file;
    this.#transaction = db.transaction((work: () => unknown) => work());
  }

  statement<Row = unknown>(sql: string): Statement<Cell[], Row> {
    return this.db.prepare<Cell[], Row>(sql);
  }

  /** Grows when anything was undone: what somebody remembers of rows written before may then be wrong. */
  get rollbacks(): number {
    return this.#rollbacks;
  }

  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainFailure(error, this.file);
    }
  }

  /**
   * All of it or nothing. The write lock is taken at the start, so two writers wait for each other instead of
   * failing half-way. Inside another `write` it is a savepoint: only its own work is undone when it throws.
   */
  write<T>(work: () => T): T {
    try {
      return this.#transaction.immediate(work) as T;
    } catch (error) {
      this.#rollbacks++;
      throw explainFailure(error, this.file);
    }
  }

  /** Waits for the disk, which `write` does not. */
  writeDurably<T>(work: () => T): T {
    this.db.pragma("synchronous = FULL");
    try {
      return this.write(work);
    } finally {
      this.db.pragma("synchronous = NORMAL");
    }
  }

  /** Several statements that belong together: joins the transaction that is open, or makes one. */
  join<T>(work: () => T): T {
    return this.db.inTransaction ? this.read(work) : this.write(work);
  }

  close(): void {
    this.db.close();
  }
}

export interface ConnectOptions {
  readonly readonly: boolean;
  readonly readFileSystemType: ReadFileSystemType;
}

export function connect(folder: string, options: ConnectOptions): Connection {
  const file = join(folder, "wf.db");
  refuseNetworkFileSystem(folder, options.readFileSystemType);
  try {
    if (!options.readonly) return connectWriter(folder, file);
    return connectReader(folder, file);
  } catch (error) {
    throw explainFailure(error, file);
  }
}

function connectWriter(folder: string, file: string): Connection {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return prepared(new SQLite(file, { timeout: BUSY_TIMEOUT_MS }), file, (db) => {
    refuseForeign(db, file);
    switchToWal(db);
    db.pragma("synchronous = NORMAL");
    db.pragma("foreign_keys = ON");
    db.pragma("wal_autocheckpoint = 4000");
    db.pragma("journal_size_limit = 67108864");
    migrate(db);
  });
}

/** An older store is brought up to date first: a reader needs the views of this version. */
function connectReader(folder: string, file: string): Connection {
  if (!existsSync(file)) {
    throw new WfError("WF_STORE_OPEN", "There is no store here yet.", {
      where: folder,
      hint: "Run a workflow first (`wf run FILE`), or name the store with --store FOLDER.",
    });
  }
  const open = () => new SQLite(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  const reader = prepared(open(), file, (db) => refuseForeign(db, file));
  if (schemaVersion(reader.db) === NEWEST_VERSION) return reader;
  reader.close();
  connectWriter(folder, file).close();
  return new Connection(open(), file);
}

function prepared(db: Database, file: string, prepare: (db: Database) => void): Connection {
  try {
    prepare(db);
    return new Connection(db, file);
  } catch (error) {
    db.close();
    throw error;
  }
}

function refuseForeign(db: Database, file: string): void {
  const { version, tables } = glimpse(db);
  if (version > NEWEST_VERSION) {
    throw new WfError(
      "WF_STORE_NEWER",
      `The store has schema version ${version}; this wf knows versions up to ${NEWEST_VERSION}.`,
      { where: file, hint: "Use the newer wf that wrote it, or name another store with --store FOLDER." },
    );
  }
  if (version === 0 && tables > 0) {
    throw new WfError("WF_STORE_OPEN", "The file is a SQLite database, but not one of wf.", {
      where: file,
      hint: "Move it away, or name another store with --store FOLDER.",
    });
  }
}

/** Both from one moment: another process may be making the schema just now. */
function glimpse(db: Database): { readonly version: number; readonly tables: number } {
  const look = db.transaction(() => ({
    version: schemaVersion(db),
    tables: db.prepare("SELECT count(*) FROM sqlite_master").pluck().get() as number,
  }));
  return look.deferred();
}

/** The switch can answer BUSY at once, whatever the time-out, when another process makes it at the same moment. */
function switchToWal(db: Database): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      const isBusy = error instanceof SQLite.SqliteError && error.code.startsWith("SQLITE_BUSY");
      if (!isBusy || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
