import type { TaskRecord } from "./record.ts";

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
    usage: {
      wallSeconds: Math.max(0, attempt.endedAt - attempt.startedAt),
      userSeconds: null,
      systemSeconds: null,
      cpuPercent: null,
      peakMemoryBytes: null,
      readBytes: null,
      writtenBytes: null,
      diskReadBytes: null,
      diskWrittenBytes: null,
      voluntarySwitches: null,
      involuntarySwitches: null,
      majorFaults: null,
      minorFaults: null,
      gpuPercent: null,
      peakGpuMemoryBytes: null,
    },
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
