import { type JobSpec, parseAttemptName, type TaskSpec } from "@wf/protocol";

export function sampleTask(attempt: string, more: Partial<TaskSpec> = {}): TaskSpec {
  return {
    task: parseAttemptName(attempt)?.task ?? attempt,
    attempt,
    after: [],
    argv: ["true"],
    env: {},
    inputs: [],
    outputs: [],
    params: {},
    cpus: 1,
    memoryBytes: 0,
    gpus: 0,
    timeLimitSeconds: null,
    graceSeconds: 5,
    warnSeconds: 0,
    keepSandbox: "failed",
    ...more,
  };
}

export function sampleJob(tasks: readonly TaskSpec[], more: Partial<JobSpec> = {}): JobSpec {
  return {
    version: 1,
    run: "r1",
    job: `job-${tasks[0]?.attempt}`,
    storage: "/scratch/me/wf",
    cpus: 1,
    memoryBytes: 0,
    gpus: 0,
    tasks: [...tasks],
    ...more,
  };
}
