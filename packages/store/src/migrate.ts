import type { Database } from "better-sqlite3";
import { sql as base } from "./migrations/0001-base.ts";
import { sql as views } from "./migrations/0002-views.ts";
import { sql as reports } from "./migrations/0003-reports.ts";
import { sql as models } from "./migrations/0004-models.ts";
import { sql as ranks } from "./migrations/0005-ranks.ts";
import { sql as slices } from "./migrations/0006-slices.ts";
import { sql as accounts } from "./migrations/0007-accounts.ts";
import { sql as transfers } from "./migrations/0008-transfers.ts";
import { sql as revocations } from "./migrations/0009-revocations.ts";
import { sql as unreached } from "./migrations/0010-unreached.ts";

/** In order: the place in this list is the version that the migration leads to. */
export const MIGRATIONS: readonly string[] = [
  base,
  views,
  reports,
  models,
  ranks,
  slices,
  accounts,
  transfers,
  revocations,
  unreached,
];
export const NEWEST_VERSION = MIGRATIONS.length;

export function schemaVersion(db: Database): number {
  return db.pragma("user_version", { simple: true }) as number;
}

/**
 * Brings the schema to the given version. All steps happen or none does; a second process that opens the store at
 * the same moment waits for the lock and then finds nothing left to do.
 */
export function migrate(db: Database, toVersion: number = NEWEST_VERSION): void {
  const step = db.transaction(() => {
    for (const sql of MIGRATIONS.slice(schemaVersion(db), toVersion)) db.exec(sql);
    db.pragma(`user_version = ${Math.max(schemaVersion(db), toVersion)}`);
  });
  if (schemaVersion(db) < toVersion) step.exclusive();
}
