import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import SQLite, { type Database } from "better-sqlite3";
import { explainFailure } from "./sqlite-failure.ts";

const FILE = "content.lock";
const LOOK_MS = 100;

/**
 * Who uses the content of a store, and who removes from it: many may hold the lock, or one may have it alone. The
 * system lets go of it when a process ends, however it ends.
 *
 * It is a lock of SQLite on an empty file, since Node cannot lock files itself. The launcher holds the same lock on the
 * same bytes (`content_lock.py`), which are part of SQLite's file format.
 */
export class ContentLock {
  readonly #file: string;
  readonly #db: Database;
  #isClaimed = false;

  constructor(folder: string) {
    this.#file = join(folder, FILE);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#db = new SQLite(this.#file, { timeout: 0 });
    } catch (error) {
      throw explainFailure(error, this.#file);
    }
  }

  /** Nobody removes content from now on. Waits for who is about to, and says so once. */
  async hold(onWait: () => void): Promise<void> {
    let isTold = false;
    while (!this.#try("BEGIN; SELECT 1 FROM sqlite_master")) {
      if (!isTold) onWait();
      isTold = true;
      await sleep(LOOK_MS);
    }
  }

  /** False if somebody holds it. */
  claim(): boolean {
    this.#isClaimed ||= this.#try("BEGIN EXCLUSIVE");
    return this.#isClaimed;
  }

  release(): void {
    this.#db.close();
  }

  #try(sql: string): boolean {
    try {
      this.#db.exec(sql);
      return true;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec("ROLLBACK");
      if (error instanceof SQLite.SqliteError && error.code.startsWith("SQLITE_BUSY")) return false;
      throw explainFailure(error, this.#file);
    }
  }
}
