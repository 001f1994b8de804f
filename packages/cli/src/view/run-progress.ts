import { totalOf } from "@wf/core";
import type { Fact, TaskEnd } from "@wf/engine";
import type { TaskRecord } from "@wf/protocol";
import type { RunStart } from "@wf/run";
import { StageProgress } from "./stage-progress.ts";

export interface ActiveTask {
  readonly task: string;
  readonly stage: StageProgress;
  /** Unix seconds; undefined while it waits. */
  startedAt: number | undefined;
}

export interface PreparingRuntime {
  readonly stage: string;
  readonly says: string;
  readonly percent: number | null;
}

interface ActiveJob {
  readonly cpus: number;
  unfinished: number;
  isRunning: boolean;
}

/**
 * How far a run is: counters for each stage, and one entry for each task that has not ended. A fact costs a look-up
 * or two; memory grows with what is active.
 */
export class RunProgress {
  readonly stages: StageProgress[] = [];
  readonly running = new Map<string, ActiveTask>();
  /** Runtimes that are being prepared, by the stage that asked first. */
  readonly preparing = new Map<string, PreparingRuntime>();
  cpusInUse = 0;
  /** Tasks that had ended before this process took the run over. */
  replayed = 0;
  /** Seconds of attempts that have finished, all together. */
  #finishedSeconds = 0;
  /** Sum of the start times of what runs now. */
  #startedSum = 0;
  readonly #byName = new Map<string, StageProgress>();
  readonly #grownBy = new Map<string, { readonly stage: StageProgress; readonly isOnce: boolean }[]>();
  readonly #active = new Map<string, ActiveTask>();
  readonly #jobs = new Map<string, ActiveJob>();
  readonly #jobOf = new Map<string, string>();

  begin(run: RunStart): void {
    for (const { stage, count, grownBy } of run.stages) {
      const progress = this.stage(stage);
      progress.planned = count;
      if (grownBy === undefined) continue;
      const others = this.#grownBy.get(grownBy.node) ?? [];
      this.#grownBy.set(grownBy.node, [...others, { stage: progress, isOnce: grownBy.isOnce }]);
    }
  }

  apply(fact: Fact): void {
    switch (fact.type) {
      case "expanded":
        for (const { stage, isOnce } of this.#grownBy.get(fact.node) ?? []) stage.grow(fact.count, isOnce);
        break;
      case "task.ready":
        this.#activate(fact.task, fact.stage);
        break;
      case "runtime.preparing":
        this.preparing.set(fact.stage, fact);
        break;
      case "runtime.ready":
        this.preparing.delete(fact.stage);
        break;
      case "job.submitted":
        this.#jobs.set(fact.job, {
          cpus: totalOf(fact.resources).cpus,
          unfinished: fact.tasks.length,
          isRunning: false,
        });
        break;
      case "attempt.submitted":
        this.#jobOf.set(fact.attempt, fact.job);
        break;
      case "attempt.started":
        this.#start(this.#activate(fact.task, fact.stage), fact.startedAt, fact.attempt);
        break;
      case "attempts.held":
        for (const { task } of fact.attempts) this.#halt(this.#active.get(task));
        break;
      case "attempt.finished":
        this.#finish(fact.task, fact.stage, fact.record);
        break;
      case "task.retry":
        this.#active.get(fact.task)?.stage.countRetry();
        break;
      case "task.sliced":
      case "task.unreached":
        break;
      case "task.ended":
        if (fact.replayed) this.replayed += 1;
        this.#end(fact.task, fact.stage, fact.state);
        break;
      case "task.revoked":
        this.#takeBack(fact.task, fact.stage, "done");
        break;
      case "task.outdated":
        if (fact.was !== null) this.#takeBack(fact.task, fact.stage, fact.was);
        break;
      case "attempt.dropped":
        this.#leaveJob(fact.attempt);
        break;
      case "run.rewound":
        for (const stage of this.stages) stage.rewind();
        break;
      case "attempts.confirmed":
      case "task.upheld":
      case "run.confirming":
      case "run.stopping":
      case "run.broken":
        break;
    }
  }

  countAttempts(stageName: string, count: number, meanSeconds: number): void {
    this.stage(stageName).countAttempts(count, meanSeconds);
    this.#finishedSeconds += count * meanSeconds;
  }

  /** A task that runs in a job that nobody told of. */
  addRunning(task: string, stageName: string, startedAt: number, cpus: number): void {
    this.#start(this.#activate(task, stageName), startedAt, undefined);
    this.cpusInUse += cpus;
  }

  /** Nothing more will come. Of a run that has succeeded, what was seen is all there is. */
  settle(status: string): void {
    for (const stage of this.stages) stage.settle(status === "succeeded");
  }

  get ended(): number {
    return this.stages.reduce((sum, stage) => sum + stage.ended, 0);
  }

  get total(): number {
    return this.stages.reduce((sum, stage) => sum + stage.total, 0);
  }

  get isGrowing(): boolean {
    return this.stages.some((stage) => stage.isGrowing);
  }

  count(state: TaskEnd): number {
    return this.stages.reduce((sum, stage) => sum + stage.ends[state], 0);
  }

  /** Seconds that tasks have run, those that still run included. */
  busySeconds(now: number): number {
    return this.#finishedSeconds + this.running.size * now - this.#startedSum;
  }

  stage(name: string): StageProgress {
    let stage = this.#byName.get(name);
    if (stage === undefined) {
      stage = new StageProgress(name);
      this.#byName.set(name, stage);
      this.stages.push(stage);
    }
    return stage;
  }

  #activate(task: string, stageName: string): ActiveTask {
    const known = this.#active.get(task);
    if (known !== undefined) return known;
    const active = { task, stage: this.stage(stageName), startedAt: undefined };
    active.stage.waiting += 1;
    this.#active.set(task, active);
    return active;
  }

  #start(active: ActiveTask, startedAt: number, attempt: string | undefined): void {
    if (active.startedAt !== undefined) return;
    active.startedAt = startedAt;
    active.stage.waiting -= 1;
    active.stage.running += 1;
    this.#startedSum += startedAt;
    this.running.set(active.task, active);
    const job = this.#jobs.get(this.#jobOf.get(attempt ?? "") ?? "");
    if (job !== undefined && !job.isRunning) {
      job.isRunning = true;
      this.cpusInUse += job.cpus;
    }
  }

  #halt(active: ActiveTask | undefined): void {
    if (active?.startedAt === undefined) return;
    this.#startedSum -= active.startedAt;
    active.startedAt = undefined;
    active.stage.running -= 1;
    active.stage.waiting += 1;
    this.running.delete(active.task);
  }

  #finish(task: string, stageName: string, { attempt, failure, usage }: TaskRecord): void {
    this.#halt(this.#activate(task, stageName));
    if (failure?.class !== "not-reached") this.countAttempts(stageName, 1, usage.wallSeconds);
    this.#leaveJob(attempt);
  }

  /** It had been told of as ended, and has to be made again. */
  #takeBack(task: string, stageName: string, was: TaskEnd): void {
    this.stage(stageName).ends[was] -= 1;
    this.#activate(task, stageName);
  }

  #leaveJob(attempt: string): void {
    const jobName = this.#jobOf.get(attempt);
    this.#jobOf.delete(attempt);
    const job = this.#jobs.get(jobName ?? "");
    if (job === undefined) return;
    job.unfinished -= 1;
    if (job.unfinished > 0) return;
    if (job.isRunning) this.cpusInUse -= job.cpus;
    this.#jobs.delete(jobName ?? "");
  }

  #end(task: string, stageName: string, state: TaskEnd): void {
    const active = this.#active.get(task);
    if (active !== undefined) {
      this.#halt(active);
      active.stage.waiting -= 1;
      this.#active.delete(task);
    }
    this.stage(stageName).ends[state] += 1;
  }
}
