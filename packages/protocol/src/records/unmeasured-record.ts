import { type TaskRecord, Usage } from "./record.ts";

export interface UnmeasuredAttempt {
  readonly run: string;
  readonly job: string;
  readonly task: string;
  readonly attempt: string;
  readonly host: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The record of an attempt that no launcher measured. What was not measured is unknown, never zero. */
export function unmeasuredRecord(attempt: UnmeasuredAttempt, failure: TaskRecord["failure"]): TaskRecord {
  const none = { files: 0, bytes: 0, seconds: 0 };
  return {
    version: 1,
    ...attempt,
    state: failure ? "failed" : "succeeded",
    failure,
    exitCode: null,
    signal: null,
    pid: null,
    bootId: null,
    usage: unmeasuredUsage(Math.max(0, attempt.endedAt - attempt.startedAt)),
    stagedIn: none,
    stagedOut: none,
    outputs: {},
    undeclared: [],
    leftoverProcesses: 0,
    gpus: [],
    metrics: [],
    series: [],
  };
}

/** Of which only the clock is known. */
export function unmeasuredUsage(wallSeconds: number): Usage {
  const unknown = Object.fromEntries(Object.keys(Usage.shape).map((figure) => [figure, null]));
  return { ...unknown, wallSeconds } as Usage;
}
