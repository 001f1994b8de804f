import type { Json, ModelChoice, TaskRecord } from "@wf/protocol";
import { AccountTable, type StoredAccount } from "./account-table.ts";
import { type CachedResult, CacheTable } from "./cache-table.ts";
import { checkFile, checkFileAndRows } from "./check-file.ts";
import { compareTasks, type StageDifference } from "./compare-tasks.ts";
import { type Connection, connect } from "./connection.ts";
import { ContentLock } from "./content-lock.ts";
import {
  type ContentMaker,
  type ContentRoot,
  listContentOfRun,
  listMakers,
  listNewestContent,
} from "./content-makers.ts";
import { deleteRun } from "./delete-run.ts";
import { type ComparedKey, compareKey, findComparable, type KeyedTask } from "./explain.ts";
import { findRun, type RunKey } from "./find-run.ts";
import { HashCache } from "./hash-cache.ts";
import { type Lease, LeaseTable } from "./lease.ts";
import { removeModel, tagModel, untagModel } from "./model-changes.ts";
import { createRun, type NewRun } from "./new-run.ts";
import { listPastSuccesses, type PastSuccess } from "./past-successes.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { type QueryResult, query } from "./query.ts";
import { listItems, readArtifact, type StoredArtifact } from "./read-artifacts.ts";
import { type AttemptDetails, listAttempts, readSeries } from "./read-attempts.ts";
import { lastEvent, listEvents, type StoredEvent } from "./read-events.ts";
import { chooseModel, listModels, type ModelVersion, modelsOfRun, modelsWith, runsUsing } from "./read-models.ts";
import { listRanks, type RankDetails } from "./read-ranks.ts";
import {
  listMetrics,
  listPictures,
  listSummaries,
  listWarnings,
  type MetricFilter,
  type MetricPoint,
  type ReportFilter,
  type StoredPicture,
  type StoredSummary,
  type StoredWarning,
} from "./read-reports.ts";
import {
  listRuns,
  type RunDetails,
  type RunFilter,
  type RunSummary,
  readPlan,
  readRun,
  readWorkflow,
  type StoredWorkflow,
} from "./read-runs.ts";
import {
  countStages,
  listEdges,
  listTasks,
  readTask,
  type StageCounts,
  type TaskDetails,
  type TaskFilter,
  type TaskSummary,
} from "./read-tasks.ts";
import { type ContentReference, listReferencedContent, listReferencedContentWithout } from "./referenced-content.ts";
import { type Request, type RequestKind, RequestTable } from "./requests.ts";
import { type RevokedSuccess, revokeSuccess } from "./revoke-success.ts";
import { RunJournal } from "./run-journal.ts";
import { RunMemory } from "./run-memory.ts";
import { type StoreOptions, type StoreSettings, storeSettings } from "./store-options.ts";
import { type RunTrace, readTrace } from "./trace.ts";

/**
 * The memory of wf: one SQLite file, `wf.db`, in a folder on a local disk. Several processes may have it open.
 * Wherever a run is named, its full name, a unique beginning of it and `last` will do.
 */
export class Store {
  readonly folder: string;
  /** Known hashes of the user's files. */
  readonly hashCache: HashCache;
  readonly #connection: Connection;
  readonly #options: StoreSettings;
  readonly #cache: CacheTable;
  readonly #leases: LeaseTable;
  readonly #requests: RequestTable;
  #reader: Connection | undefined;
  #contentLock: ContentLock | undefined;

  private constructor(folder: string, options: StoreOptions) {
    this.folder = folder;
    this.#options = storeSettings(options);
    const { now, here, isProcessAlive } = this.#options;
    this.#connection = connect(folder, this.#options);
    this.#cache = new CacheTable(this.#connection, now);
    this.#leases = new LeaseTable(this.#connection, now, here, isProcessAlive);
    this.#requests = new RequestTable(this.#connection, now);
    this.hashCache = new HashCache(this.#connection);
  }

  /** Makes the folder if it is missing, and brings an older store up to date. */
  static open(folder: string, options: StoreOptions = {}): Store {
    return new Store(folder, options);
  }

  close(): void {
    this.#reader?.close();
    this.#connection.close();
    this.#contentLock?.release();
  }

  /** Until `close`, nobody removes content, runs or their folders. Waits for who is about to, and says so once. */
  async holdContent(onWait: () => void): Promise<void> {
    this.#contentLock = new ContentLock(this.folder);
    await this.#contentLock.hold(onWait);
  }

  /** Until `close`, no run starts, and content may be removed. False if somebody may need what no run refers to yet. */
  claimContent(): boolean {
    this.#contentLock ??= new ContentLock(this.folder);
    return this.#contentLock.claim();
  }

  /** Returns the run's name. */
  createRun(run: NewRun): string {
    return createRun(this.#connection, this.#options.now, run);
  }

  findRun(text: string): string {
    return this.#run(text).name;
  }

  /** Whether there is a run of exactly this name. */
  hasRun(name: string): boolean {
    const find = this.#connection.db.prepare<[string]>("SELECT 1 FROM runs WHERE name = ?");
    return this.#connection.read(() => find.get(name) !== undefined);
  }

  /** Removes the run and all that only it refers to. Refused while somebody runs it. */
  deleteRun(run: string): void {
    const { id, name } = this.#run(run);
    this.#leases.refuseIfOwned(id, name);
    deleteRun(this.#connection, id);
  }

  journal(run: string): RunJournal {
    return new RunJournal(this.#run(run).id, this.#connection, this.#cache, this.#options.now);
  }

  memory(run: string): RunMemory {
    return new RunMemory(this.#run(run).id, this.#connection, this.#cache);
  }

  /** No run has left a result that could be reused. */
  get hasNoResults(): boolean {
    return this.#cache.isEmpty;
  }

  /** From now on everything is read as it is at this moment, until `close`. It spares a lock for each look. */
  holdStill(): void {
    this.#connection.read(() => this.#connection.db.exec("BEGIN"));
  }

  /** What stands for a key, whatever run made it. */
  cached(key: string): CachedResult | undefined {
    return this.#cache.get(key);
  }

  /** Makes the process the run's one owner, or says who is. */
  acquireLease(run: string, owner: ProcessIdentity = this.#options.here): void {
    const { id, name } = this.#run(run);
    this.#leases.acquire(id, name, owner);
  }

  /** To be called every few seconds. Throws if the lease was lost: the process must then not go on. */
  heartbeat(run: string, owner: ProcessIdentity = this.#options.here): void {
    const { id, name } = this.#run(run);
    this.#leases.heartbeat(id, name, owner);
  }

  releaseLease(run: string, owner: ProcessIdentity = this.#options.here): void {
    this.#leases.release(this.#run(run).id, owner);
  }

  /** Who runs the run, or did until it died. */
  lease(run: string): Lease | undefined {
    return this.#leases.of(this.#run(run).id);
  }

  ask(run: string, kind: RequestKind, by: string): void {
    this.#requests.ask(this.#run(run).id, kind, by);
  }

  /** Each request is handed out once. */
  takeRequests(run: string): Request[] {
    return this.#requests.take(this.#run(run).id);
  }

  runs(filter: RunFilter = {}): RunSummary[] {
    return listRuns(this.#connection, filter);
  }

  run(run: string): RunDetails {
    return readRun(this.#connection, this.#run(run).id);
  }

  plan(run: string): Json {
    return readPlan(this.#connection, this.#run(run).id);
  }

  workflow(run: string): StoredWorkflow {
    return readWorkflow(this.#connection, this.#run(run).id);
  }

  stages(run: string): StageCounts[] {
    return countStages(this.#connection, this.#run(run).id);
  }

  edges(run: string): { readonly from: string; readonly to: string }[] {
    return listEdges(this.#connection, this.#run(run).id);
  }

  tasks(run: string, filter: TaskFilter = {}): { readonly tasks: TaskSummary[]; readonly total: number } {
    return listTasks(this.#connection, this.#run(run).id, filter);
  }

  task(run: string, task: string): TaskDetails {
    return readTask(this.#connection, this.#run(run).id, task);
  }

  attempts(run: string, task: string): AttemptDetails[] {
    return listAttempts(this.#connection, this.#run(run).id, task);
  }

  /** The processes of an attempt, in order; none for a task that is not distributed. */
  ranks(run: string, attempt: string): RankDetails[] {
    return listRanks(this.#connection, this.#run(run).id, attempt);
  }

  /** What the scheduler calls the jobs of a task's attempts, and what its accounting says of them. */
  accounts(run: string, task: string): StoredAccount[] {
    return this.#connection.read(() => new AccountTable(this.#run(run).id, this.#connection).of(task));
  }

  /** Jobs of a run that were over before the time (Unix seconds), and about which accounting was not asked. */
  unaskedJobs(run: string, endedBefore: number): string[] {
    return this.#connection.read(() => new AccountTable(this.#run(run).id, this.#connection).unasked(endedBefore));
  }

  /** Successes in jobs of a scheduler that stand in the cache. */
  pastSuccesses(run: string): PastSuccess[] {
    return listPastSuccesses(this.#connection, this.#run(run).id);
  }

  /** One of them was none. Returns the other runs that had reused it. Refused while somebody runs the run. */
  revokeSuccess(run: string, revoked: RevokedSuccess): string[] {
    const { id, name } = this.#run(run);
    this.#leases.refuseIfOwned(id, name);
    const isIdle = (other: number) => this.#leases.of(other)?.alive !== true;
    const others = revokeSuccess(this.#connection, id, revoked, isIdle);
    const nameOf = this.#connection.db.prepare<[number], string>("SELECT name FROM runs WHERE id = ?").pluck();
    return this.#connection.read(() => others.map((other) => nameOf.get(other) as string));
  }

  series(run: string, attempt: string): TaskRecord["series"] {
    return readSeries(this.#connection, this.#run(run).id, attempt);
  }

  metrics(run: string, filter: MetricFilter = {}): MetricPoint[] {
    return listMetrics(this.#connection, this.#run(run).id, filter);
  }

  pictures(run: string, filter: ReportFilter = {}): StoredPicture[] {
    return listPictures(this.#connection, this.#run(run).id, filter);
  }

  summaries(run: string, filter: ReportFilter = {}): StoredSummary[] {
    return listSummaries(this.#connection, this.#run(run).id, filter);
  }

  warnings(run: string, filter: ReportFilter = {}): StoredWarning[] {
    return listWarnings(this.#connection, this.#run(run).id, filter);
  }

  /** The events after number `seq`, at most `limit` of them. */
  events(run: string, seq = 0, limit = 1000): StoredEvent[] {
    return listEvents(this.#connection, this.#run(run).id, seq, limit);
  }

  /** The newest event of a type; undefined where there is none. */
  lastEvent(run: string, type: string): StoredEvent | undefined {
    return lastEvent(this.#connection, this.#run(run).id, type);
  }

  trace(run: string): RunTrace {
    return readTrace(this.#connection, this.#run(run).name);
  }

  /** The task's key, and the best task of an earlier run to compare it with. */
  keyOf(run: string, task: string): ComparedKey {
    return compareKey(this.#connection, this.#run(run).id, task);
  }

  /** The best task to compare with before a run exists. */
  comparable(task: { readonly workflow: string; readonly task: string; readonly stage: string }): KeyedTask | null {
    return findComparable(this.#connection, { ...task, beforeRunId: null });
  }

  /** How the keys of two runs' tasks differ, stage by stage. */
  compareTasks(first: string, second: string): StageDifference[] {
    return compareTasks(this.#connection, this.#run(first).id, this.#run(second).id);
  }

  artifact(hash: string, kind: string): StoredArtifact | undefined {
    return readArtifact(this.#connection, hash, kind);
  }

  /** What a list consists of, nested lists laid flat, each content where it first stands. */
  listItems(listHash: string): StoredArtifact[] {
    return listItems(this.#connection, listHash);
  }

  /** Registered models by name, the newest version of each first; of one name only, if it is given. */
  models(name?: string): ModelVersion[] {
    return listModels(this.#connection, name);
  }

  /** The version that is meant, or what there is instead. */
  model(choice: ModelChoice): ModelVersion {
    return chooseModel(this.#connection, choice);
  }

  /** The model versions that are this content. */
  modelsWith(content: { readonly hash: string; readonly kind: string }): { model: string; version: number }[] {
    return modelsWith(this.#connection, content);
  }

  /** The model versions that a run registered or saw again. */
  modelsOfRun(run: string): { model: string; version: number }[] {
    return modelsOfRun(this.#connection, this.#run(run).name);
  }

  /** The runs that a model was an input of, the newest first. */
  runsUsing(content: { readonly hash: string; readonly kind: string }): string[] {
    return runsUsing(this.#connection, content);
  }

  tagModel(version: ModelVersion, tag: string): void {
    tagModel(this.#connection, version, tag);
  }

  /** False if the model has no such tag. */
  untagModel(model: string, tag: string): boolean {
    return untagModel(this.#connection, model, tag);
  }

  removeModel(version: ModelVersion): void {
    removeModel(this.#connection, version);
  }

  /** The roots of the garbage collection; `without`: as if these runs had been deleted. */
  referencedContent({ without = [] }: { readonly without?: readonly string[] } = {}): ContentReference[] {
    if (without.length === 0) return listReferencedContent(this.#connection);
    const runs = without.map((run) => this.#run(run).id);
    return listReferencedContentWithout(this.#connection, runs);
  }

  /** One statement of SQL that only reads, over the views of docs/store.md. */
  query(sql: string): QueryResult {
    this.#reader ??= connect(this.folder, { ...this.#options, readonly: true });
    return query(this.#reader, sql);
  }

  /** The tasks that made this content, and the inputs that were it. */
  makersOf(hash: string): ContentMaker[] {
    return listMakers(this.#connection, hash);
  }

  /** What the run read and made; what manifests among it lead to belongs to it as well. */
  contentOfRun(run: string): ContentRoot[] {
    return listContentOfRun(this.#connection, this.#run(run).id);
  }

  /** The content that was seen last, at most so much. */
  newestContent(limit: number): ContentRoot[] {
    return listNewestContent(this.#connection, limit);
  }

  /** What is wrong with the file or with what its rows refer to; nothing if it is sound. Reads all of it, indices too. */
  checkAll(): string[] {
    return checkFileAndRows(this.#connection);
  }

  /** What is wrong with the file; nothing if it is sound. Reads all of it. */
  check(): string[] {
    return checkFile(this.#connection);
  }

  #run(text: string): RunKey {
    return findRun(this.#connection, text);
  }
}
