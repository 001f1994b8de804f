import type { RankRecord } from "@wf/protocol";
import { usageOf } from "./attempt-columns.ts";
import type { Connection } from "./connection.ts";

/** One process of a distributed task. */
export interface RankDetails extends RankRecord {
  /** Whether the attempt failed because of it. */
  readonly isCause: boolean;
}

interface Row {
  readonly rank: number;
  readonly local_rank: number | null;
  readonly is_cause: number;
  readonly host: string | null;
  readonly pid: number | null;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly wall_seconds: number | null;
  readonly [figure: string]: unknown;
}

/** The processes of an attempt, in order; none for a task that is not distributed, or has no record yet. */
export function listRanks(connection: Connection, runId: number, attempt: string): RankDetails[] {
  return connection.read(() =>
    connection.db
      .prepare<[number, string], Row>(
        `SELECT ranks.* FROM ranks JOIN attempts ON attempts.id = attempt_id JOIN tasks ON tasks.id = task_id
         WHERE run_id = ? AND attempts.name = ? ORDER BY rank`,
      )
      .all(runId, attempt)
      .map((row) => ({
        rank: row.rank,
        localRank: row.local_rank,
        isCause: row.is_cause === 1,
        host: row.host,
        pid: row.pid,
        exitCode: row.exit_code,
        signal: row.signal,
        startedAt: row.started_at,
        endedAt: row.ended_at,
        usage: row.wall_seconds === null ? null : usageOf(row),
      })),
  );
}
