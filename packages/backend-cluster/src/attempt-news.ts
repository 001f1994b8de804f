import { setTimeout as delay } from "node:timers/promises";
import { type BackendEvent, believedRecord, type ToldRecord } from "@wf/backend";
import type { TaskRecord } from "@wf/protocol";
import { steadyNow } from "@wf/transport";
import type { BatchSystem } from "./batch-system.ts";
import { type Element, placeOf } from "./element.ts";
import type { HandedOver } from "./handed-over.ts";
import type { JobEnding, JobFailure } from "./job-ending.ts";
import type { PilotEnd, Pool } from "./pool.ts";
import { type Judged, ProvisionalSuccesses } from "./provisional-successes.ts";
import { UnreachedAttempts } from "./unreached-attempts.ts";
import { whyNoSuccess } from "./why-ended.ts";

const RECORD_PATIENCE_MS = 3_000;
/** A pilot that is told to end has left by then, so that one which is there was not told. */
const PILOT_LEAVES_WITHIN_MS = 60_000;

export interface AttemptNewsOptions {
  readonly run: string;
  readonly handed: HandedOver;
  readonly system: Pick<BatchSystem<never>, "hurry" | "settled">;
  /** Null where every job is a job of the scheduler. */
  pool(): Pick<Pool, "pilotOf" | "finished"> | null;
  emit(event: BackendEvent): void;
}

/** What is told of attempts: their records say what they did, and their jobs how they were ended. */
export class AttemptNews {
  readonly #options: AttemptNewsOptions;
  /** Attempts whose start was told and whose end was not. */
  readonly #started = new Set<string>();
  /** Records of attempts whose job was told to end: the scheduler is asked why before they are told. */
  readonly #interrupted = new Map<string, TaskRecord>();
  readonly #unreached = new UnreachedAttempts();
  /** Jobs of which it was told that they are held. */
  readonly #held = new Set<string>();
  readonly #provisional = new ProvisionalSuccesses();
  /** How pilots ended that are over: of what they had run, a record may be heard of later. */
  readonly #pilotEnds = new Map<string, PilotEnd>();
  /** Who waits for the records of an element. */
  readonly #awaited = new Map<Element, () => void>();

  constructor(options: AttemptNewsOptions) {
    this.#options = options;
  }

  /** Attempts that run. */
  get started(): ReadonlySet<string> {
    return this.#started;
  }

  isRunning({ unfinished }: Element): boolean {
    return [...unfinished].some((attempt) => this.#started.has(attempt));
  }

  start(attempt: string, startedAt: number): void {
    const { handed, emit } = this.#options;
    if (!handed.has(attempt) || this.#started.has(attempt)) return;
    this.#started.add(attempt);
    emit({ type: "started", attempt, startedAt });
  }

  hold({ unfinished }: Element, job: string, reason: string): void {
    if (this.#held.has(job)) return;
    this.#held.add(job);
    this.#options.emit({ type: "held", attempts: [...unfinished], queueJob: job, reason });
  }

  release({ unfinished }: Element, job: string): void {
    if (this.#held.delete(job)) this.#options.emit({ type: "released", attempts: [...unfinished], queueJob: job });
  }

  hearRecord(attempt: string, told: ToldRecord): void {
    const { run, handed } = this.#options;
    const entry = handed.elementOf(attempt)?.entry;
    if (entry === undefined) return;
    const task = entry.tasks.find((one) => one.attempt === attempt)?.task ?? null;
    this.#take(believedRecord({ run, job: entry.job, task, attempt }, told, Date.now() / 1000));
  }

  #take(record: TaskRecord): void {
    const { attempt, failure } = record;
    const { handed, system, pool } = this.#options;
    const element = handed.elementOf(attempt);
    if (failure?.class === "not-reached" && element !== undefined) {
      this.#unreached.add(record);
      this.#tellBlameless(element);
      return;
    }
    const isInJob = element !== undefined && element.taken !== null && element.over === null;
    const pilot = pool()?.pilotOf(attempt);
    const end = pilot === undefined ? undefined : this.#pilotEnds.get(pilot);
    const canBeExplained = isInJob || (pilot !== undefined && end === undefined);
    if (failure?.class !== "interrupted" || !canBeExplained) {
      const why = failure?.class === "interrupted" ? (end?.why ?? failure) : failure;
      this.#finish({ ...record, failure: why });
      return;
    }
    this.#interrupted.set(attempt, record);
    system.hurry();
  }

  /** The one place from which an attempt's end is told: what is not handed over any more has been told. */
  #finish(record: TaskRecord): void {
    const { attempt, pid, startedAt } = record;
    const { handed, pool, emit } = this.#options;
    if (pid !== null) this.start(attempt, startedAt);
    const element = handed.finish(attempt);
    if (element === undefined) return;
    const pilot = pool()?.pilotOf(attempt);
    const place = pilot ?? (element.token === null ? undefined : placeOf(element));
    const isProvisional = record.failure === null && place !== undefined;
    this.#started.delete(attempt);
    pool()?.finished(attempt);
    this.#interrupted.delete(attempt);
    emit({ type: "finished", attempt, record, ...(isProvisional ? { isProvisional } : {}) });
    if (isProvisional) {
      element.hasSucceeded = true;
      this.#provisional.add(place, record, steadyNow());
      if (pilot !== undefined) this.#judgePilot(pilot);
    }
    this.#tellBlameless(element);
    this.tellSettled(element);
  }

  /** Of a job that ended: its successes, and what it had not come to. After all others, one of which may be why. */
  #tellBlameless(element: Element): void {
    const { unfinished, taken, over, end } = element;
    if (![...unfinished].every((attempt) => this.#unreached.has(attempt))) return;
    if (end !== null) this.#judge(element);
    if (unfinished.size === 0) return;
    // Who cancels a job means all of its tasks, so that it matters how it ended.
    if (taken !== null && over === null) this.#options.system.hurry();
    else for (const record of this.#unreached.take([...unfinished], over?.why ?? null)) this.#finish(record);
  }

  /** Where all attempts of a job have been told of, only how it ended is still to be heard. */
  tellSettled(element: Element): void {
    if (element.unfinished.size > 0) return;
    this.#awaited.get(element)?.();
    if (element.taken === null) return;
    this.#held.delete(element.taken.job);
    this.#options.system.settled(element.taken.job);
  }

  /** They may be on their way when the scheduler already says that the job is over. */
  async waitForRecords(element: Element, signal: AbortSignal): Promise<void> {
    const hasRecord = (attempt: string) => this.#interrupted.has(attempt) || this.#unreached.has(attempt);
    if ([...element.unfinished].every(hasRecord)) return;
    const come = new AbortController();
    this.#awaited.set(element, () => come.abort());
    await delay(RECORD_PATIENCE_MS, undefined, { signal: AbortSignal.any([signal, come.signal]) }).catch(
      () => undefined,
    );
    this.#awaited.delete(element);
    signal.throwIfAborted();
  }

  /** The scheduler has said how its job ended. */
  ended(element: Element, ending: JobEnding, printed: string): void {
    element.end = { ending, printed };
    this.#explainJob(element, ending.interruption(printed));
  }

  /** `attempts`: those that it had and did not end well. */
  pilotOver(pilot: string, attempts: readonly string[], end: PilotEnd): void {
    this.#pilotEnds.set(pilot, end);
    this.#explain(attempts, (record) => end.why ?? record.failure);
    this.#judgePilot(pilot);
  }

  #judgePilot(pilot: string): void {
    const end = this.#pilotEnds.get(pilot);
    if (end === undefined) return;
    const { ending, printed } = end;
    const verdict = ({ endedAt }: TaskRecord) => whyNoSuccess(endedAt, ending, printed, false);
    this.#tellJudged(this.#provisional.judge(pilot, verdict));
  }

  /** A listing that was asked for at that time shows that the pilot runs. */
  pilotAlive(pilot: string, askedMs: number): void {
    const beforeMs = askedMs - PILOT_LEAVES_WITHIN_MS;
    this.#tellJudged({ confirmed: this.#provisional.confirmHeardBefore(pilot, beforeMs), revoked: [] });
  }

  /** Tells of the attempts of a job that is over. `why`: null where nobody says. */
  #explainJob(element: Element, why: JobFailure | null): void {
    element.over = { why };
    this.#explain(element.unfinished, (record) => why ?? record.failure);
    this.#tellBlameless(element);
  }

  /** Tells of the attempts of a job that was told to end. */
  #explain(attempts: Iterable<string>, why: (record: TaskRecord) => TaskRecord["failure"]): void {
    for (const attempt of [...attempts]) {
      const record = this.#interrupted.get(attempt);
      if (record !== undefined) this.#finish({ ...record, failure: why(record) });
    }
  }

  /** Whether the successes of a job are ones, now that its end is known. */
  #judge(element: Element): void {
    const { end, entry } = element;
    const isAlone = entry.tasks.length === 1;
    const verdict = ({ endedAt }: TaskRecord) => end && whyNoSuccess(endedAt, end.ending, end.printed, isAlone);
    this.#tellJudged(this.#provisional.judge(placeOf(element), verdict));
  }

  #tellJudged({ confirmed, revoked }: Judged): void {
    const { emit } = this.#options;
    if (confirmed.length > 0) emit({ type: "confirmed", attempts: confirmed });
    for (const record of revoked) emit({ type: "revoked", attempt: record.attempt, record });
  }
}
