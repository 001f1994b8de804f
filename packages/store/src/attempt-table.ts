import { type TaskRecord, WfError } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import { cellsOf, RECORD_COLUMNS } from "./attempt-columns.ts";
import type { Clock } from "./clock.ts";
import type { Cell, Connection } from "./connection.ts";
import { lastValues } from "./metric-table.ts";
import { RankTable } from "./rank-table.ts";
import type { ReportTable } from "./report-table.ts";
import type { SliceTable } from "./slice-table.ts";
import type { TaskTable } from "./task-table.ts";
import { UntilRollback } from "./until-rollback.ts";

interface Ids {
  readonly attemptId: number;
  readonly taskId: number;
}

interface Tables {
  readonly tasks: TaskTable;
  readonly reports: ReportTable;
  readonly slices: SliceTable;
}

export interface AttemptSubmitted {
  readonly task: string;
  readonly attempt: string;
  readonly job: string;
  readonly number: number;
  /** Of a resumable task: which part of its work this is. */
  readonly slice?: number;
}

/** Attempts of one run and the jobs that carry them. Always called inside a transaction. */
export class AttemptTable {
  readonly #run: number;
  readonly #now: Clock;
  readonly #tasks: TaskTable;
  readonly #reports: ReportTable;
  readonly #ranks: RankTable;
  readonly #slices: SliceTable;
  /** Attempts under way. */
  readonly #open: UntilRollback<Map<string, Ids>>;
  /** The job that came last: its attempts come next. */
  readonly #lastJob: UntilRollback<{ name: string; id: number }>;
  readonly #insertJob: Statement<Cell[]>;
  readonly #findJob: Statement<[number, string], number>;
  readonly #insert: Statement<Cell[]>;
  readonly #again: Statement<[number, number, string]>;
  readonly #find: Statement<[number, string], Ids>;
  readonly #start: Statement<[number, number]>;
  readonly #finish: Statement<Cell[]>;
  readonly #series: Statement<[number, string]>;

  constructor(run: number, connection: Connection, { tasks, reports, slices }: Tables, now: Clock) {
    const { db } = connection;
    this.#run = run;
    this.#tasks = tasks;
    this.#now = now;
    this.#reports = reports;
    this.#ranks = new RankTable(connection);
    this.#slices = slices;
    this.#insertJob = connection.statement(
      `INSERT INTO jobs (run_id, name, kind, tasks, resources, submitted_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
    );
    this.#findJob = db.prepare<[number, string], number>("SELECT id FROM jobs WHERE run_id = ? AND name = ?").pluck();
    this.#lastJob = new UntilRollback(connection, () => ({ name: "", id: 0 }));
    this.#insert = connection.statement(
      `INSERT INTO attempts (task_id, job_id, name, number, state, submitted_at) VALUES (?, ?, ?, ?, 'submitted', ?)
       ON CONFLICT DO NOTHING`,
    );
    this.#again = db.prepare("UPDATE attempts SET job_id = ? WHERE task_id = ? AND name = ?");
    const listOpen = db.prepare<[number], Ids & { readonly name: string }>(
      `SELECT attempts.name, attempts.id AS attemptId, task_id AS taskId
       FROM attempts JOIN tasks ON tasks.id = task_id WHERE attempts.ended_at IS NULL AND run_id = ?`,
    );
    this.#open = new UntilRollback(connection, () => new Map(listOpen.all(run).map((row) => [row.name, row])));
    this.#find = db.prepare("SELECT id AS attemptId, task_id AS taskId FROM attempts WHERE task_id = ? AND name = ?");
    this.#start = db.prepare("UPDATE attempts SET state = 'running', started_at = ? WHERE id = ?");
    const assignments = RECORD_COLUMNS.map((column) => `${column} = ?`).join(", ");
    this.#finish = connection.statement(`UPDATE attempts SET ${assignments} WHERE id = ?`);
    this.#series = db.prepare("INSERT OR REPLACE INTO series (attempt_id, points) VALUES (?, ?)");
  }

  jobSubmitted(job: string, kind: string, tasks: number, resources: string): void {
    const row = this.#insertJob.run(this.#run, job, kind, tasks, resources, this.#now());
    if (row.changes === 1) Object.assign(this.#lastJob.value, { name: job, id: Number(row.lastInsertRowid) });
  }

  submitted({ task, attempt, job, number, slice }: AttemptSubmitted): void {
    const taskId = this.#tasks.idOf(task);
    const last = this.#lastJob.value;
    const jobId = last.name === job ? last.id : this.#findJob.get(this.#run, job);
    if (jobId === undefined) throw new WfError("WF_INTERNAL", `Job ${job} is not in the store yet.`);
    const row = this.#insert.run(taskId, jobId, attempt, number, this.#now());
    if (row.changes === 1) {
      const attemptId = Number(row.lastInsertRowid);
      this.#open.value.set(attempt, { attemptId, taskId });
      if (slice !== undefined) this.#slices.begin(attemptId, slice);
    } else this.#again.run(jobId, taskId, attempt);
    this.#tasks.move(taskId, "submitted");
  }

  started(attempt: string, startedAt: number): void {
    const ids = this.#open.value.get(attempt);
    if (ids === undefined) return;
    this.#start.run(startedAt, ids.attemptId);
    this.#tasks.move(ids.taskId, "running");
  }

  finished(record: TaskRecord): void {
    const ids = this.#open.value.get(record.attempt) ?? this.#find.get(this.#tasks.idOf(record.task), record.attempt);
    if (ids === undefined) throw new WfError("WF_INTERNAL", `Attempt ${record.attempt} is not in the store yet.`);
    this.#finish.run(...cellsOf(record), ids.attemptId);
    if (record.series.length > 0) this.#series.run(ids.attemptId, JSON.stringify(record.series));
    this.#reports.record(ids.attemptId, record);
    this.#ranks.record(ids.attemptId, record);
    const { checkpoint } = record;
    if (checkpoint !== undefined) this.#slices.leave(ids.attemptId, checkpoint);
    if (record.state === "failed") this.#tasks.move(ids.taskId, "ready");
    if (record.metrics.length > 0) this.#measured(ids, record);
    this.#open.value.delete(record.attempt);
  }

  #measured({ attemptId, taskId }: Ids, { state, checkpoint, metrics }: TaskRecord): void {
    if (this.#slices.has(attemptId)) {
      if (state === "succeeded" || checkpoint !== undefined) this.#tasks.measuredFurther(taskId, lastValues(metrics));
    } else if (state === "succeeded") this.#tasks.measured(taskId, lastValues(metrics));
  }
}
