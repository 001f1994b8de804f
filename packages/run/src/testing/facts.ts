import type { Resources } from "@wf/core";
import type { Fact } from "@wf/engine";
import {
  attemptName,
  type FailureClass,
  jobName,
  type RankRecord,
  type TaskRecord,
  taskName,
  type Usage,
  unmeasuredUsage,
} from "@wf/protocol";

/** Facts of imagined runs, as an engine would state them. */
export const RESOURCES: Resources = {
  nodes: 1,
  processes: 1,
  cpus: 1,
  memoryBytes: 0,
  gpus: 0,
  diskBytes: 0,
  timeLimitSeconds: null,
};

const USAGE: Usage = {
  ...unmeasuredUsage(2),
  userSeconds: 1,
  systemSeconds: 0.5,
  cpuPercent: 75,
  peakMemoryBytes: 50e6,
  readBytes: 1e6,
  writtenBytes: 2e6,
  diskReadBytes: 0,
  diskWrittenBytes: 2e6,
  voluntarySwitches: 10,
  involuntarySwitches: 2,
  majorFaults: 0,
  minorFaults: 300,
};

export interface RecordChanges {
  readonly run?: string;
  readonly attempt?: string;
  readonly wallSeconds?: number;
  readonly startedAt?: number;
  readonly failure?: {
    readonly class: FailureClass;
    readonly message: string;
    readonly exitCode?: number;
    readonly rank?: number;
  };
  readonly metrics?: TaskRecord["metrics"];
  readonly pictures?: NonNullable<TaskRecord["pictures"]>;
  readonly summary?: NonNullable<TaskRecord["summary"]>;
  readonly warnings?: NonNullable<TaskRecord["warnings"]>;
  readonly undeclared?: TaskRecord["undeclared"];
  readonly outputs?: TaskRecord["outputs"];
  readonly series?: TaskRecord["series"];
  /** Hosts of the ranks of a distributed task, in order. */
  readonly rankHosts?: readonly string[];
  readonly usage?: Partial<Usage>;
}

function recordOf(task: string, changes: RecordChanges = {}): TaskRecord {
  const { wallSeconds = 2, startedAt = 1_700_000_000, failure } = changes;
  return {
    version: 1,
    run: changes.run ?? "demo-1-abcd",
    job: `job-${task}`,
    task,
    attempt: changes.attempt ?? `${task}@1`,
    state: failure === undefined ? "succeeded" : "failed",
    failure: failure === undefined ? null : { class: failure.class, message: failure.message, rank: failure.rank },
    exitCode: failure === undefined ? 0 : (failure.exitCode ?? null),
    signal: null,
    host: "node1",
    pid: 4711,
    bootId: "b",
    startedAt,
    endedAt: startedAt + wallSeconds,
    usage: { ...USAGE, wallSeconds, ...changes.usage },
    stagedIn: { files: 1, bytes: 100, seconds: 0.01 },
    stagedOut: { files: 1, bytes: 100, seconds: 0.01 },
    outputs: changes.outputs ?? {},
    undeclared: changes.undeclared ?? [],
    leftoverProcesses: 0,
    gpus: [],
    metrics: changes.metrics ?? [],
    pictures: changes.pictures,
    summary: changes.summary,
    warnings: changes.warnings,
    series: changes.series ?? [],
    ...(changes.rankHosts === undefined ? {} : { ranks: changes.rankHosts.map((host, rank) => rankOf(rank, host)) }),
  };
}

function rankOf(rank: number, host: string): RankRecord {
  const usage = { ...USAGE, wallSeconds: 2 };
  return { rank, localRank: 0, host, pid: 4711, exitCode: rank, signal: null, startedAt: 1, endedAt: 3, usage };
}

export interface Step {
  readonly task: string;
  readonly stage: string;
  readonly index: readonly number[];
}

/** `step("train", 3)` is the task `train.3`. */
export function step(stage: string, ...index: number[]): Step {
  return { task: taskName(stage, index), stage, index };
}

export function ready(of: Step): Fact {
  return { type: "task.ready", ...of, key: null, parts: [], params: {}, inputs: [] };
}

export function submitted(of: Step, number = 1, cpus = 1): Fact[] {
  const attempt = attemptName(of.task, number);
  const job = jobName("job", attempt);
  return [
    { type: "attempt.submitted", task: of.task, attempt, job, number },
    { type: "job.submitted", job, tasks: [of.task], resources: { ...RESOURCES, cpus } },
  ];
}

export function started({ task, stage }: Step, startedAt: number, number = 1): Fact {
  return { type: "attempt.started", task, stage, attempt: attemptName(task, number), startedAt };
}

export function finished({ task, stage }: Step, changes: RecordChanges = {}): Fact {
  return { type: "attempt.finished", task, stage, record: recordOf(task, changes) };
}

export function ended(of: Step, more: Omit<Extract<Fact, { type: "task.ended" }>, "type" | keyof Step>): Fact {
  return { type: "task.ended", ...of, ...more };
}

/** Everything about one task that goes well. */
export function lifeOf(of: Step, startedAt: number, changes: RecordChanges = {}): Fact[] {
  return [
    ready(of),
    ...submitted(of),
    started(of, startedAt),
    finished(of, { startedAt, ...changes }),
    ended(of, { state: "done", outputs: changes.outputs ?? {} }),
  ];
}
