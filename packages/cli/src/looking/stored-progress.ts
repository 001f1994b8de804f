import { type Resources, worldSize } from "@wf/core";
import type { Json } from "@wf/protocol";
import type { Store, TaskCounts } from "@wf/store";
import { RunProgress } from "../view/run-progress.ts";

/** How far a run is, as the store tells it: the same counters that its owner keeps from facts. */
export function storedProgress(store: Store, run: string): RunProgress {
  const progress = new RunProgress();
  const traces = new Map(store.trace(run).stages.map((trace) => [trace.stage, trace]));
  for (const { stage: name, counts } of store.stages(run)) {
    const stage = progress.stage(name);
    const { done, cached, failed, skipped, cancelled } = counts;
    Object.assign(stage.ends, { done, cached, failed, skipped, cancelled });
    stage.waiting = counts.ready + counts.submitted;
    if (isAlone(store, run, name, counts)) stage.planned = 1;
    const trace = traces.get(name);
    if (trace !== undefined && trace.averageSeconds !== null)
      progress.countAttempts(name, trace.attempts, trace.averageSeconds);
  }
  for (const { task, stage, startedAt, cpus } of runningAttempts(store, run))
    progress.addRunning(task, stage, startedAt, cpus);
  return progress;
}

/** A task that bears its stage's name stands outside of all fan-outs and loops: no other can come. */
function isAlone(store: Store, run: string, stage: string, counts: TaskCounts): boolean {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return total === 1 && store.tasks(run, { stage, limit: 1 }).tasks[0]?.task === stage;
}

export interface RunningAttempt {
  readonly task: string;
  readonly stage: string;
  readonly attempt: string;
  /** Of a resumable task: which part of its work this is. */
  readonly slice: number | null;
  readonly startedAt: number;
  readonly host: string | null;
  readonly cpus: number;
}

/** Runs that were stored before tasks could be distributed do not say of how many processes they are. */
function cpusInAll(resources: Json): number {
  const { nodes = 1, processes = 1, cpus = 0 } = resources as Partial<Resources>;
  return cpus * worldSize({ nodes, processes });
}

/** What runs now, what started first first. */
export function runningAttempts(store: Store, run: string): RunningAttempt[] {
  const cpusOf = new Map(store.stages(run).map(({ stage, resources }) => [stage, cpusInAll(resources)]));
  const { tasks } = store.tasks(run, { states: ["running"] });
  const found = tasks.flatMap(({ task, stage, readyAt }) => {
    const attempt = store.attempts(run, task).at(-1);
    if (attempt === undefined) return [];
    const startedAt = attempt.startedAt ?? readyAt ?? attempt.submittedAt;
    const { attempt: name, slice, host } = attempt;
    return [{ task, stage, attempt: name, slice, startedAt, host, cpus: cpusOf.get(stage) ?? 0 }];
  });
  return found.sort((a, b) => a.startedAt - b.startedAt);
}
