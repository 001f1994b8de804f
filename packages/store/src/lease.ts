import { WfError } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { Clock } from "./clock.ts";
import type { Connection } from "./connection.ts";
import { type IsProcessAlive, machineOf, type ProcessIdentity } from "./process-identity.ts";

/** A lease from another machine whose owner was silent for longer is void. Owners should beat far more often. */
export const HEARTBEAT_LIMIT_SECONDS = 60;

export interface Lease extends ProcessIdentity {
  /** Unix seconds. */
  readonly since: number;
  readonly heartbeatAt: number;
  /** Whether the owner lives, as far as can be seen from here. */
  readonly alive: boolean;
}

type Row = Omit<Lease, "alive">;
type Key = [runId: number, host: string, pid: number, bootId: string | null, startTicks: number | null];

/** A run has one owner at most. The owner's process tells on this machine, its heartbeat tells from another one. */
export class LeaseTable {
  readonly #connection: Connection;
  readonly #now: Clock;
  readonly #here: ProcessIdentity;
  readonly #isProcessAlive: IsProcessAlive;
  readonly #get: Statement<[number], Row>;
  readonly #put: Statement<[...Key, number, number]>;
  readonly #beat: Statement<[number, ...Key]>;
  readonly #release: Statement<Key>;

  constructor(connection: Connection, now: Clock, here: ProcessIdentity, isProcessAlive: IsProcessAlive) {
    const { db } = connection;
    const mine = "run_id = ? AND host = ? AND pid = ? AND boot_id IS ? AND start_ticks IS ?";
    this.#connection = connection;
    this.#now = now;
    this.#here = here;
    this.#isProcessAlive = isProcessAlive;
    this.#get = db.prepare(
      `SELECT host, pid, boot_id AS bootId, start_ticks AS startTicks, since, heartbeat_at AS heartbeatAt
       FROM leases WHERE run_id = ?`,
    );
    this.#put = db.prepare(
      `INSERT OR REPLACE INTO leases (run_id, host, pid, boot_id, start_ticks, since, heartbeat_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#beat = db.prepare(`UPDATE leases SET heartbeat_at = ? WHERE ${mine}`);
    this.#release = db.prepare(`DELETE FROM leases WHERE ${mine}`);
  }

  of(runId: number): Lease | undefined {
    const row = this.#connection.read(() => this.#get.get(runId));
    return row && { ...row, alive: this.#isAlive(row) };
  }

  acquire(runId: number, run: string, owner: ProcessIdentity): void {
    this.#connection.write(() => {
      const held = this.of(runId);
      if (held?.alive === true && !isSame(held, owner)) throw ownedBy(run, held);
      const now = this.#now();
      this.#put.run(...keyOf(runId, owner), now, now);
    });
  }

  /** Throws if the lease was lost meanwhile: the process must then not go on. */
  heartbeat(runId: number, run: string, owner: ProcessIdentity): void {
    this.#connection.write(() => {
      if (this.#beat.run(this.#now(), ...keyOf(runId, owner)).changes === 1) return;
      throw ownedBy(run, this.of(runId));
    });
  }

  release(runId: number, owner: ProcessIdentity): void {
    this.#connection.write(() => this.#release.run(...keyOf(runId, owner)));
  }

  /** A run that somebody runs must be left alone. */
  refuseIfOwned(runId: number, run: string): void {
    const held = this.of(runId);
    if (held?.alive === true) throw ownedBy(run, held);
  }

  #isAlive(row: Row): boolean {
    if (row.host !== this.#here.host) return this.#now() - row.heartbeatAt < HEARTBEAT_LIMIT_SECONDS;
    return row.bootId === this.#here.bootId && this.#isProcessAlive(row);
  }
}

function keyOf(runId: number, { host, pid, bootId, startTicks }: ProcessIdentity): Key {
  return [runId, host, pid, bootId, startTicks];
}

function isSame(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.host === b.host && a.pid === b.pid && a.bootId === b.bootId && a.startTicks === b.startTicks;
}

function ownedBy(run: string, lease: Lease | undefined): WfError {
  if (lease === undefined) return new WfError("WF_RUN_OWNED", `This process no longer owns ${run}.`);
  const since = new Date(lease.since * 1000).toISOString();
  return new WfError(
    "WF_RUN_OWNED",
    `Process ${lease.pid} on ${machineOf(lease)} has been running ${run} since ${since}.`,
    {
      where: run,
      hint: `Look with \`wf status ${run}\`, or stop it with \`wf cancel ${run}\`.`,
    },
  );
}
