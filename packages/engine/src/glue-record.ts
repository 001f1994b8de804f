import type { TaskRecord } from "@wf/core";
import type { FnResult } from "./ports.ts";

export interface GlueAttempt {
  readonly run: string;
  readonly task: string;
  readonly attempt: string;
  readonly host: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The record of a `fn`, which no launcher saw. What was not measured is unknown, never zero. */
export function glueRecord(result: FnResult, attempt: GlueAttempt): TaskRecord {
  const { usage } = result;
  const wallSeconds = Math.max(0, attempt.endedAt - attempt.startedAt);
  const busy =
    usage.userSeconds === null || usage.systemSeconds === null ? null : usage.userSeconds + usage.systemSeconds;
  const none = { files: 0, bytes: 0, seconds: 0 };
  return {
    version: 1,
    ...attempt,
    job: `fn-${attempt.attempt}`,
    state: result.ok ? "succeeded" : "failed",
    failure: result.ok ? null : { class: result.class, message: result.message },
    exitCode: null,
    signal: null,
    pid: null,
    bootId: null,
    usage: {
      wallSeconds,
      ...usage,
      cpuPercent: busy === null || wallSeconds === 0 ? null : (100 * busy) / wallSeconds,
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
    outputs: result.ok ? result.outputs : {},
    undeclared: [],
    leftoverProcesses: 0,
    gpus: [],
    metrics: [],
    series: [],
  };
}
