import type { Adoption } from "@wf/backend";
import type { TaskNode } from "@wf/core";
import type { TaskInstance } from "@wf/planner";
import { canonical, type FailureClass, type Json, sha256, type TaskRecord, unmeasuredRecord } from "@wf/protocol";
import type { AttemptOf, JobToSubmit, RunEvent } from "./effects.ts";
import type { Checkpoint } from "./slices.ts";

/** What happens when a task runs: how long it takes, and what it makes or how it fails. */
export interface Outcome {
  readonly seconds: number;
  readonly outputs?: { readonly [name: string]: Json };
  readonly metrics?: { readonly [name: string]: number };
  readonly failure?: FailureClass;
  /** The number of the checkpoint that it leaves. */
  readonly leaves?: number;
  /** Its job is ended from outside, which shows only after the task seems to have ended well. */
  readonly isEndedFromOutside?: boolean;
  /** Its job ends with it, and does not come to the tasks that wait. */
  readonly endsJob?: boolean;
}

/** `execution` counts how often the task has been started before, `goesOnFrom` is the number of its checkpoint. */
export type Behaviour = (task: TaskInstance, execution: number, goesOnFrom: number) => Outcome;

/** One line of the ledger that tasks write themselves, whoever looks. */
export interface Execution {
  readonly task: string;
  readonly attempt: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Numbers of checkpoints; 0 is none. */
  readonly goesOnFrom: number;
  readonly leaves: number;
  ended: "succeeded" | "failed" | "killed" | null;
}

interface Running extends Execution {
  readonly work: AttemptOf;
  readonly outcome: Outcome;
}

interface SiteJob {
  readonly waiting: AttemptOf[];
  running: Running | undefined;
}

/**
 * A place to run, in memory and in virtual time. It keeps the laws of the backend port: what was handed over goes on
 * when the engine dies, a record is there before its event, and what is handed over again runs once.
 */
export class TestSite {
  readonly executions: Execution[] = [];
  nowMs = 0;
  mostJobsAtOnce = 0;
  readonly #slots: number;
  readonly #behaviour: Behaviour;
  readonly #records = new Map<string, TaskRecord>();
  #queue: SiteJob[] = [];
  #busy: SiteJob[] = [];
  #glue: Running[] = [];
  /** Runtimes that are being made ready, for the engine that asked. */
  #preparing: { readonly stage: string; readonly endMs: number }[] = [];
  readonly #preparingSeconds: number;
  /** How long after a success it shows how its job ended; null where successes are final at once. */
  readonly #confirmingSeconds: number | null;
  /** Of attempts that seem to have ended well: the record that counts in the end. */
  readonly #verdicts = new Map<string, { readonly record: TaskRecord; readonly endMs: number }>();
  #toTell: string[] = [];
  #events: RunEvent[] = [];

  constructor(slots: number, behaviour: Behaviour, preparingSeconds: number, confirmingSeconds: number | null = null) {
    this.#confirmingSeconds = confirmingSeconds;
    this.#slots = slots;
    this.#preparingSeconds = preparingSeconds;
    this.#behaviour = behaviour;
  }

  submit({ tasks }: JobToSubmit): void {
    const fresh = tasks.filter(({ attempt }) => this.fateOf(attempt) === "never-submitted");
    for (const { attempt } of tasks) if (this.#records.has(attempt)) this.#tell(attempt);
    if (fresh.length > 0) this.#queue.push({ waiting: fresh, running: undefined });
    this.mostJobsAtOnce = Math.max(this.mostJobsAtOnce, this.#queue.length + this.#busy.length);
    this.#fillSlots();
  }

  prepare(stage: string): void {
    this.#preparing.push({ stage, endMs: this.nowMs + this.#preparingSeconds * 1000 });
  }

  /** Glue lives and dies with the engine. */
  startGlue(work: AttemptOf): void {
    this.#glue.push(this.#start(work));
  }

  cancel(attempts: readonly string[]): void {
    for (const attempt of attempts) {
      const job = [...this.#queue, ...this.#busy].find(
        ({ waiting, running }) => running?.attempt === attempt || waiting.some((work) => work.attempt === attempt),
      );
      const work =
        job?.running?.attempt === attempt ? job.running.work : job?.waiting.find((w) => w.attempt === attempt);
      const glue = this.#glue.find((running) => running.attempt === attempt);
      if (glue) {
        this.#glue.splice(this.#glue.indexOf(glue), 1);
        glue.ended = "killed";
        this.#finish(glue.work, { seconds: 0, failure: "cancelled" });
      }
      if (!job || !work) continue;
      if (job.running?.attempt === attempt) {
        job.running.ended = "killed";
        job.running = undefined;
      } else job.waiting.splice(job.waiting.indexOf(work), 1);
      this.#finish(work, { seconds: 0, failure: "cancelled" });
    }
    this.#queue = this.#queue.filter((job) => job.waiting.length > 0);
    this.#goOn();
  }

  fateOf(attempt: string): Adoption {
    if (this.#records.has(attempt)) return "finished";
    if (this.#busy.some((job) => job.running?.attempt === attempt)) return "running";
    const waits = ({ waiting }: SiteJob) => waiting.some((work) => work.attempt === attempt);
    if ([...this.#queue, ...this.#busy].some(waits)) return "running";
    return this.executions.some((execution) => execution.attempt === attempt) ? "lost" : "never-submitted";
  }

  /** A new engine is told of what has ended. */
  adopt(attempts: readonly string[]): Map<string, Adoption> {
    const fates = new Map(attempts.map((attempt) => [attempt, this.fateOf(attempt)]));
    for (const [attempt, fate] of fates) if (fate === "finished") this.#tell(attempt);
    return fates;
  }

  /** Nobody listens any more; what waits for a place may be dropped. */
  engineDied(dropsWaiting: boolean): void {
    this.#events = [];
    for (const glue of this.#glue) glue.ended = "killed";
    this.#glue = [];
    this.#preparing = [];
    this.#toTell = [];
    if (dropsWaiting) this.#queue = [];
  }

  /** Whatever runs is killed. Its successor proves that and writes so, or only knows that it is dead. */
  launcherDied(writesRecords: boolean): void {
    for (const { running } of this.#busy) {
      if (!running) continue;
      running.ended = "killed";
      if (writesRecords) this.#record(running.work, { seconds: 0, failure: "lost" });
    }
    this.#busy = [];
    this.#queue = [];
  }

  /** Lets time pass while nobody looks. */
  pass(seconds: number): void {
    this.#advance(this.nowMs + seconds * 1000);
    this.#events = [];
  }

  /** The next things that happen, at least one and at most `most`; undefined when nothing ever will. */
  next(wakeAtMs: number | null, most: number): RunEvent[] | undefined {
    while (this.#events.length === 0) {
      const underWay = [...this.#busy.flatMap(({ running }) => running ?? []), ...this.#glue, ...this.#preparing];
      const verdicts = this.#toTell.map((attempt) => this.#verdicts.get(attempt)?.endMs ?? 0);
      const ends = [...underWay.map(({ endMs }) => endMs), ...verdicts];
      const next = Math.min(...ends, wakeAtMs ?? Number.POSITIVE_INFINITY);
      if (next === Number.POSITIVE_INFINITY) return undefined;
      this.#advance(Math.max(next, this.nowMs));
      if (wakeAtMs !== null && wakeAtMs <= this.nowMs) return [{ type: "wake", nowMs: this.nowMs }];
    }
    return this.#events.splice(0, Math.max(1, most));
  }

  #advance(toMs: number): void {
    for (;;) {
      const running = [...this.#busy.flatMap((job) => job.running ?? []), ...this.#glue];
      const first = running.toSorted((a, b) => a.endMs - b.endMs)[0];
      if (!first || first.endMs > toMs) break;
      this.nowMs = Math.max(this.nowMs, first.endMs);
      this.#end(first);
    }
    this.nowMs = Math.max(this.nowMs, toMs);
    const ready = this.#preparing.filter(({ endMs }) => endMs <= this.nowMs);
    this.#preparing = this.#preparing.filter((one) => !ready.includes(one));
    for (const { stage } of ready) this.#events.push({ type: "prepared", stage });
    for (const attempt of this.#toTell) this.#tellVerdict(attempt);
  }

  #tellVerdict(attempt: string): void {
    const { record, endMs } = this.#verdicts.get(attempt) as { record: TaskRecord; endMs: number };
    if (endMs > this.nowMs) return;
    this.#toTell = this.#toTell.filter((other) => other !== attempt);
    this.#events.push(
      record.failure
        ? { type: "revoked", attempt, record, nowMs: this.nowMs }
        : { type: "confirmed", attempts: [attempt] },
    );
  }

  #end(running: Running): void {
    running.ended = running.outcome.failure ? "failed" : "succeeded";
    this.#glue = this.#glue.filter((glue) => glue !== running);
    const job = this.#busy.find((busy) => busy.running === running);
    if (job) job.running = undefined;
    this.#finish(running.work, running.outcome);
    if (running.outcome.endsJob) {
      for (const work of job?.waiting.splice(0) ?? []) this.#finish(work, { seconds: 0, failure: "not-reached" });
    }
    this.#goOn();
  }

  #goOn(): void {
    for (const job of this.#busy) {
      if (job.running) continue;
      const work = job.waiting.shift();
      if (work) job.running = this.#start(work);
    }
    this.#busy = this.#busy.filter((job) => job.running);
    this.#fillSlots();
  }

  #fillSlots(): void {
    while (this.#busy.length < this.#slots && this.#queue.length > 0) {
      const job = this.#queue.shift() as SiteJob;
      job.running = this.#start(job.waiting.shift() as AttemptOf);
      this.#busy.push(job);
    }
  }

  #start(work: AttemptOf): Running {
    const { name } = work.task;
    const goesOnFrom = numberOfCheckpoint(work.checkpoint);
    const execution = this.executions.filter(({ task }) => task === name).length;
    const outcome = this.#behaviour(work.task, execution, goesOnFrom);
    const { attempt } = work;
    const startMs = this.nowMs;
    const endMs = startMs + outcome.seconds * 1000;
    const leaves = outcome.leaves ?? 0;
    const running = { task: name, attempt, startMs, endMs, goesOnFrom, leaves, ended: null, work, outcome };
    this.executions.push(running);
    this.#events.push({ type: "started", attempt: work.attempt, startedAt: this.nowMs / 1000 });
    return running;
  }

  #finish(work: AttemptOf, outcome: Outcome): void {
    this.#record(work, outcome);
    this.#tell(work.attempt);
  }

  #record({ task, attempt }: AttemptOf, outcome: Outcome): void {
    const endedAt = this.nowMs / 1000;
    const about = { task: task.name, attempt, endedAt, startedAt: endedAt - outcome.seconds };
    const record = testRecord(about, { ...outcome, files: filesOf(task.node) });
    this.#records.set(attempt, record);
    if (record.failure || this.#confirmingSeconds === null || task.node.declaration.runtime.kind === "fn") return;
    const verdict = outcome.isEndedFromOutside ? testRecord(about, { failure: "preempted" }) : record;
    this.#verdicts.set(attempt, { record: verdict, endMs: this.nowMs + this.#confirmingSeconds * 1000 });
  }

  #tell(attempt: string): void {
    const record = this.#records.get(attempt) as TaskRecord;
    const isProvisional = this.#verdicts.has(attempt);
    this.#events.push({ type: "finished", attempt, record, nowMs: this.nowMs, isProvisional });
    if (isProvisional) this.#toTell.push(attempt);
  }
}

/** The record of an attempt, with figures that nobody measured. */
export function testRecord(
  known: Partial<TaskRecord>,
  { outputs = {}, files = [], metrics, failure, leaves }: Partial<Outcome & { readonly files: readonly string[] }>,
): TaskRecord {
  const values = Object.entries(outputs).map(([name, value]) => {
    const text = canonical(value);
    return [name, { kind: "json" as const, value, hash: sha256(text), size: text.length }] as const;
  });
  const written = files.map((name) => [name, { kind: "file" as const, hash: sha256(name), size: 1, name }] as const);
  const why = failure ? { class: failure, message: `it ended with ${failure}` } : null;
  const attempt = { run: "run", job: "job", task: "task", attempt: "task@1", host: "here", startedAt: 0, endedAt: 0 };
  return {
    ...unmeasuredRecord({ ...attempt, ...known }, why),
    exitCode: failure ? 1 : 0,
    outputs: failure ? {} : Object.fromEntries([...values, ...written]),
    ...(leaves === undefined ? {} : { checkpoint: testCheckpoint(leaves) }),
    metrics: metrics ? [metrics] : [],
    ...known,
  };
}

function filesOf({ declaration }: TaskNode): readonly string[] {
  return Object.keys(declaration.outputs).filter((name) => declaration.outputs[name]?.type.kind === "file");
}

function testCheckpoint(number: number): Checkpoint {
  return { kind: "file", hash: sha256(`checkpoint ${number}`), size: number, name: "state" };
}

export function numberOfCheckpoint(checkpoint: Checkpoint | null): number {
  return checkpoint?.size ?? 0;
}
