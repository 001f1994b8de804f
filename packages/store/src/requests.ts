import type { Statement } from "better-sqlite3";
import type { Clock } from "./clock.ts";
import type { Connection } from "./connection.ts";

/** `drain`: start nothing new and let what runs finish. `cancel`: end what runs. */
export type RequestKind = "cancel" | "drain";

export interface Request {
  readonly kind: RequestKind;
  readonly askedBy: string;
  /** Unix seconds. */
  readonly askedAt: number;
}

/** How other processes reach the owner of a run. */
export class RequestTable {
  readonly #connection: Connection;
  readonly #now: Clock;
  readonly #ask: Statement<[number, RequestKind, string, number]>;
  readonly #waiting: Statement<[number], Request & { readonly id: number }>;
  readonly #take: Statement<[number, number]>;

  constructor(connection: Connection, now: Clock) {
    const { db } = connection;
    this.#connection = connection;
    this.#now = now;
    this.#ask = db.prepare("INSERT INTO requests (run_id, kind, asked_by, asked_at) VALUES (?, ?, ?, ?)");
    this.#waiting = db.prepare(
      `SELECT id, kind, asked_by AS askedBy, asked_at AS askedAt FROM requests
       WHERE run_id = ? AND taken_at IS NULL ORDER BY id`,
    );
    this.#take = db.prepare("UPDATE requests SET taken_at = ? WHERE id = ?");
  }

  ask(runId: number, kind: RequestKind, by: string): void {
    this.#connection.write(() => this.#ask.run(runId, kind, by, this.#now()));
  }

  /** Each request is handed out once. Takes no lock while nothing waits, so that it can be asked often. */
  take(runId: number): Request[] {
    const isIdle = this.#connection.read(() => this.#waiting.get(runId) === undefined);
    if (isIdle) return [];
    return this.#connection.write(() => {
      const waiting = this.#waiting.all(runId);
      for (const { id } of waiting) this.#take.run(this.#now(), id);
      return waiting.map(({ kind, askedBy, askedAt }) => ({ kind, askedBy, askedAt }));
    });
  }
}
