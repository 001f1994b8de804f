import type { TaskRecord } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import { USAGE_COLUMNS, usageCells } from "./attempt-columns.ts";
import type { Cell, Connection } from "./connection.ts";

const COLUMNS = [
  ...["attempt_id", "rank", "local_rank", "is_cause", "host", "pid", "exit_code", "signal", "started_at", "ended_at"],
  ...USAGE_COLUMNS,
];

/** The processes of distributed tasks. Always called inside a transaction. */
export class RankTable {
  readonly #insert: Statement<Cell[]>;

  constructor(connection: Connection) {
    const places = COLUMNS.map(() => "?").join(", ");
    this.#insert = connection.statement(`INSERT OR REPLACE INTO ranks (${COLUMNS.join(", ")}) VALUES (${places})`);
  }

  record(attemptId: number, { ranks = [], failure }: TaskRecord): void {
    for (const { rank, localRank, host, pid, exitCode, signal, startedAt, endedAt, usage } of ranks) {
      const isCause = failure?.rank === rank ? 1 : 0;
      const known = [attemptId, rank, localRank, isCause, host, pid, exitCode, signal, startedAt, endedAt];
      this.#insert.run(...known, ...usageCells(usage));
    }
  }
}
