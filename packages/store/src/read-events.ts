import type { Json } from "@wf/protocol";
import type { Connection } from "./connection.ts";

export interface StoredEvent {
  /** Counts the events of a run, from 1. */
  readonly seq: number;
  /** Unix seconds. */
  readonly at: number;
  readonly type: string;
  readonly data: Json;
}

/** The events after `seq`, in order; ask again with the last one's number for what has come since. */
export function listEvents(connection: Connection, runId: number, seq: number, limit: number): StoredEvent[] {
  return connection.read(() =>
    connection.db
      .prepare<[number, number, number], Omit<StoredEvent, "data"> & { data: string }>(
        "SELECT seq, at, type, data FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?",
      )
      .all(runId, seq, limit)
      .map((event) => ({ ...event, data: JSON.parse(event.data) })),
  );
}

/** The newest event of a type; undefined where there is none. */
export function lastEvent(connection: Connection, runId: number, type: string): StoredEvent | undefined {
  const found = connection.read(() =>
    connection.db
      .prepare<[number, string], Omit<StoredEvent, "data"> & { data: string }>(
        "SELECT seq, at, type, data FROM events WHERE run_id = ? AND type = ? ORDER BY seq DESC LIMIT 1",
      )
      .get(runId, type),
  );
  return found && { ...found, data: JSON.parse(found.data) };
}
