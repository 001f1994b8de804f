import { type Account, type Json, type TaskRecord, type Value, WfError } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import { AccountTable, type QueuedAttempt } from "./account-table.ts";
import { ArtifactTable } from "./artifact-table.ts";
import { type AttemptSubmitted, AttemptTable } from "./attempt-table.ts";
import type { CacheTable } from "./cache-table.ts";
import type { Clock } from "./clock.ts";
import type { Cell, Connection } from "./connection.ts";
import { type ModelFact, ModelTable, type RegisteredVersion } from "./model-table.ts";
import { ReportTable } from "./report-table.ts";
import { RevocationTable } from "./revocation-table.ts";
import { SliceTable } from "./slice-table.ts";
import type { FinalRunStatus, Metrics } from "./states.ts";
import { type TaskEnded, type TaskReady, TaskTable } from "./task-table.ts";
import { UntilRollback } from "./until-rollback.ts";

export interface StageFact {
  readonly stage: string;
  /** The name of the declared task. */
  readonly task: string;
  /** True if the task fits: the proof that no test data reached a fit stands on it. */
  readonly fits: boolean;
  readonly resources: Json;
  readonly position: number;
}

export interface RunFinished {
  readonly status: FinalRunStatus;
  readonly outputs: Readonly<Record<string, Value>> | null;
  readonly metrics: Metrics | null;
  readonly error: Json | null;
}

export interface Transfer {
  readonly kind: string;
  readonly source: string;
  readonly destination: string;
  readonly files: number;
  readonly bytes: number;
  readonly seconds: number;
}

/**
 * The writing side of one run: what the engine knows is here before anything comes of it. Every call is durable when
 * it returns, against a kill of the process; several calls in `atomically` are cheaper and happen together.
 *
 * Laws:
 * - what was said can be said again (a resumed engine does so) and changes nothing;
 * - a stage comes before its edges and tasks, a job before its attempts, a task before its attempts;
 * - `attemptFinished` and the `taskEnded` that follows from it belong into one `atomically`, so that no kill can
 *   leave a task that has its record but has not ended.
 */
export class RunJournal {
  readonly #run: number;
  readonly #connection: Connection;
  readonly #now: Clock;
  readonly #cache: CacheTable;
  readonly #tasks: TaskTable;
  readonly #attempts: AttemptTable;
  readonly #accounts: AccountTable;
  readonly #artifacts: ArtifactTable;
  readonly #models: ModelTable;
  readonly #revocations: RevocationTable;
  readonly #stages: UntilRollback<Map<string, number>>;
  readonly #seq: UntilRollback<{ last: number }>;
  readonly #stage: Statement<Cell[]>;
  readonly #stageId: Statement<[number, string], number>;
  readonly #edge: Statement<[number, number]>;
  readonly #expand: Statement<Cell[]>;
  readonly #event: Statement<Cell[]>;
  readonly #transfer: Statement<Cell[]>;
  readonly #start: Statement<[number, number]>;
  readonly #finish: Statement<Cell[]>;
  readonly #runOutput: Statement<Cell[]>;

  constructor(run: number, connection: Connection, cache: CacheTable, now: Clock) {
    const { db } = connection;
    this.#run = run;
    this.#connection = connection;
    this.#cache = cache;
    this.#now = now;
    this.#stages = new UntilRollback(connection, () => new Map());
    this.#accounts = new AccountTable(run, connection);
    this.#artifacts = new ArtifactTable(connection, now);
    this.#tasks = new TaskTable(run, connection, this.#artifacts, (stage) => this.#idOfStage(stage), now);
    const reports = new ReportTable(connection, this.#artifacts, now);
    const slices = new SliceTable(connection, this.#artifacts);
    this.#attempts = new AttemptTable(run, connection, { tasks: this.#tasks, reports, slices }, now);
    this.#models = new ModelTable(run, connection, this.#artifacts, now);
    this.#revocations = new RevocationTable(run, connection);
    this.#stage = connection.statement(
      `INSERT INTO stages (run_id, name, task, fits, position, resources) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (run_id, name) DO UPDATE
       SET task = excluded.task, fits = excluded.fits, position = excluded.position, resources = excluded.resources`,
    );
    this.#stageId = db.prepare<[number, string], number>("SELECT id FROM stages WHERE run_id = ? AND name = ?").pluck();
    this.#edge = db.prepare("INSERT OR IGNORE INTO edges (from_stage_id, to_stage_id) VALUES (?, ?)");
    this.#expand = connection.statement(
      "INSERT OR REPLACE INTO expansions (run_id, node, path, count, source, at) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#event = connection.statement("INSERT INTO events (run_id, seq, at, type, data) VALUES (?, ?, ?, ?, ?)");
    const lastSeq = db.prepare<[number], number>("SELECT max(seq) FROM events WHERE run_id = ?").pluck();
    this.#seq = new UntilRollback(connection, () => ({ last: lastSeq.get(run) ?? 0 }));
    this.#transfer = connection.statement(
      `INSERT INTO transfers (run_id, kind, source, destination, files, bytes, seconds, ended_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#start = db.prepare(
      `UPDATE runs SET status = 'running', started_at = coalesce(started_at, ?), finished_at = NULL, error = NULL
       WHERE id = ?`,
    );
    this.#finish = connection.statement(
      "UPDATE runs SET status = ?, finished_at = ?, outputs = ?, metrics = ?, error = ? WHERE id = ?",
    );
    this.#runOutput = connection.statement(
      "INSERT OR REPLACE INTO run_artifacts (run_id, role, name, artifact_id) VALUES (?, 'output', ?, ?)",
    );
  }

  /** All of it or nothing. Can be nested; an inner one that throws undoes only its own facts. */
  atomically<T>(work: () => T): T {
    return this.#connection.write(work);
  }

  /** The same, and all that was written before outlives a power cut when it returns. For the end of a run alone. */
  durably<T>(work: () => T): T {
    return this.#connection.writeDurably(work);
  }

  runStarted(): void {
    this.#write(() => this.#start.run(this.#now(), this.#run));
  }

  runFinished({ status, outputs, metrics, error }: RunFinished): void {
    this.#write(() => {
      this.#finish.run(status, this.#now(), text(outputs), text(metrics), text(error), this.#run);
      for (const [name, value] of Object.entries(outputs ?? {})) {
        this.#runOutput.run(this.#run, name, this.#artifacts.idOf(value));
      }
      this.#cache.touchUsedBy(this.#run);
      if (status === "succeeded") this.#revocations.skipDoubted();
    });
  }

  /** Each becomes the next version of its name, or is known again by its content. */
  registerModels(models: readonly ModelFact[]): RegisteredVersion[] {
    if (models.length === 0) return [];
    return this.#connection.write(() => models.map((fact) => this.#models.register(fact)));
  }

  event(type: string, data: Json): void {
    this.#write(() => {
      const seq = this.#seq.value;
      seq.last++;
      this.#event.run(this.#run, seq.last, this.#now(), type, JSON.stringify(data));
    });
  }

  stage({ stage, task, fits, resources, position }: StageFact): void {
    this.#write(() => this.#stage.run(this.#run, stage, task, fits ? 1 : 0, position, JSON.stringify(resources)));
  }

  /** Data flows from one stage to another, or back into the same one. */
  edge(from: string, to: string): void {
    this.#write(() => this.#edge.run(this.#idOfStage(from), this.#idOfStage(to)));
  }

  expanded(fact: {
    readonly node: string;
    readonly path: readonly number[];
    readonly count: number;
    /** Content hash of what was expanded over. */
    readonly source: string;
  }): void {
    const { node, path, count, source } = fact;
    this.#write(() => this.#expand.run(this.#run, node, JSON.stringify(path), count, source, this.#now()));
  }

  taskReady(fact: TaskReady): void {
    this.#write(() => this.#tasks.ready(fact));
  }

  jobSubmitted(fact: {
    readonly job: string;
    readonly kind: string;
    readonly tasks: number;
    readonly resources: Json;
  }): void {
    const { job, kind, tasks, resources } = fact;
    this.#write(() => this.#attempts.jobSubmitted(job, kind, tasks, JSON.stringify(resources)));
  }

  attemptSubmitted(fact: AttemptSubmitted): void {
    this.#write(() => this.#attempts.submitted(fact));
  }

  attemptStarted(fact: { readonly attempt: string; readonly startedAt: number }): void {
    this.#write(() => this.#attempts.started(fact.attempt, fact.startedAt));
  }

  /** A scheduler has taken its job into its queue. */
  attemptQueued(fact: QueuedAttempt): void {
    this.#write(() => this.#accounts.queued(fact));
  }

  /** What a scheduler's accounting says of a job. */
  jobAccounted(queueJob: string, account: Account): void {
    this.#write(() => this.#accounts.accounted(queueJob, account));
  }

  attemptFinished(record: TaskRecord): void {
    this.#write(() => this.#attempts.finished(record));
  }

  taskEnded(fact: TaskEnded): void {
    this.#write(() => this.#tasks.ended(fact));
  }

  /** Until it is confirmed, the run goes on from the success of an attempt, but nobody takes it from the cache. */
  provisional(task: string, attempt: string): void {
    this.#write(() => this.#revocations.provisional(this.#tasks.idOf(task), attempt));
  }

  confirmed(task: string, attempt: string): void {
    this.#write(() => this.#revocations.confirm(this.#tasks.idOf(task), attempt));
  }

  /** `record`: what the success of the task has become. Whatever else the run has done is in doubt from now on. */
  revoked(task: string, record: TaskRecord): void {
    this.#write(() => {
      this.#revocations.revoke(this.#tasks.idOf(task));
      this.#attempts.finished(record);
    });
  }

  /** It was in doubt, and stands. */
  upheld(task: string): void {
    this.#write(() => this.#revocations.uphold(this.#tasks.idOf(task)));
  }

  /** It was in doubt, and does not stand. */
  outdated(task: string): void {
    this.#write(() => this.#revocations.setAside(this.#tasks.idOf(task)));
  }

  /** An attempt of a task that does not stand will not be waited for. */
  attemptDropped(task: string, attempt: string): void {
    this.#write(() => this.#revocations.dropAttempt(this.#tasks.idOf(task), attempt, this.#now()));
  }

  /** From now on the task's outputs stand for the key, in every run. They count once the task is done or cached. */
  remember(key: string, entry: { readonly task: string }): void {
    this.#write(() => this.#cache.remember(key, this.#tasks.idOf(entry.task)));
  }

  /** Data moved for the run as a whole; what attempts stage is in their records. */
  transferred({ kind, source, destination, files, bytes, seconds }: Transfer): void {
    this.#write(() => this.#transfer.run(this.#run, kind, source, destination, files, bytes, seconds, this.#now()));
  }

  #write(work: () => unknown): void {
    this.#connection.join(work);
  }

  #idOfStage(stage: string): number {
    const known = this.#stages.value.get(stage);
    if (known !== undefined) return known;
    const id = this.#stageId.get(this.#run, stage);
    if (id === undefined) throw new WfError("WF_INTERNAL", `Stage ${stage} is not in the store yet.`);
    this.#stages.value.set(stage, id);
    return id;
  }
}

function text(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
