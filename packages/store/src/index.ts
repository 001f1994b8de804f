/**
 * The memory of wf: one SQLite file that knows what ran, on what data, and what it cost.
 *
 * ```ts
 * const store = Store.open(".wf");
 * const run = store.createRun({ workflow, params, inputs, site: "local", options: {}, plan, git: null });
 * const journal = store.journal(run);
 * journal.atomically(() => {
 *   journal.attemptFinished(record);
 *   journal.taskEnded({ task: record.task, state: "done", outputs: record.outputs });
 * });
 * store.query("SELECT stage, read_mb, cpu_percent FROM stage_trace");
 * ```
 *
 * The schema stands in `docs/store.md`.
 */
export type { QueuedAttempt, StoredAccount } from "./account-table.ts";
export type { CachedResult } from "./cache-table.ts";
export type { StageDifference } from "./compare-tasks.ts";
export type { ContentMaker, ContentRoot } from "./content-makers.ts";
export type { KeyedTask } from "./explain.ts";
export type { FileStamp, HashCache } from "./hash-cache.ts";
export { HEARTBEAT_LIMIT_SECONDS, type Lease } from "./lease.ts";
export type { ModelLineage } from "./model-lineage.ts";
export type { ModelFact, ModelMetric, RegisteredVersion } from "./model-table.ts";
export { refuseNetworkFileSystem } from "./network-file-system.ts";
export type { GitState, NewRun } from "./new-run.ts";
export type { PastSuccess } from "./past-successes.ts";
export { machineOf, type ProcessIdentity, thisProcess } from "./process-identity.ts";
export type { QueryResult } from "./query.ts";
export type { StoredArtifact } from "./read-artifacts.ts";
export type { AttemptDetails } from "./read-attempts.ts";
export type { StoredEvent } from "./read-events.ts";
export type { ModelVersion } from "./read-models.ts";
export type { RankDetails } from "./read-ranks.ts";
export type {
  MetricFilter,
  MetricPoint,
  ReportFilter,
  StoredPicture,
  StoredSummary,
  StoredWarning,
} from "./read-reports.ts";
export type { RunDetails, RunFilter, RunSummary, StoredWorkflow, TaskCounts } from "./read-runs.ts";
export type { GivenInput, StageCounts, TaskDetails, TaskFilter, TaskSummary } from "./read-tasks.ts";
export type { ContentReference } from "./referenced-content.ts";
export type { Request, RequestKind } from "./requests.ts";
export type { RevokedSuccess } from "./revoke-success.ts";
export type { RunFinished, RunJournal, StageFact, Transfer } from "./run-journal.ts";
export type { OpenAttempt, RunMemory } from "./run-memory.ts";
export { type SqliteOrigin, sqliteOrigin } from "./sqlite-origin.ts";
export {
  type AttemptState,
  type FinalRunStatus,
  type FinalTaskState,
  type Metrics,
  type MetricValue,
  RUN_STATUSES,
  type RunStatus,
  TASK_STATES,
  type TaskState,
} from "./states.ts";
export { Store } from "./store.ts";
export type { StoreOptions } from "./store-options.ts";
export type { TaskEnded, TaskInput, TaskReady } from "./task-table.ts";
export type { RankTrace, RunTotals, RunTrace, StageTrace } from "./trace.ts";
