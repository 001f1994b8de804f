import type { TaskRecord } from "@wf/protocol";
import type { Fact } from "./fact.ts";
import type { LiveTask } from "./live-task.ts";

/** What is told of an attempt that is not its task's last one. */
type Unfinished = TaskRecord & { readonly failure: NonNullable<TaskRecord["failure"]> };

export function retryFact({ instance, state }: LiveTask, record: TaskRecord, nowMs: number): Fact {
  const { attempt, failure } = record as Unfinished;
  const inSeconds = ((state as { untilMs: number }).untilMs - nowMs) / 1000;
  const { class: failed, message } = failure;
  return { type: "task.retry", task: instance.name, attempt, failure: failed, message, inSeconds };
}

export function unreachedFact({ instance }: LiveTask, record: TaskRecord): Fact {
  const { attempt, failure } = record as Unfinished;
  return { type: "task.unreached", task: instance.name, attempt, message: failure.message };
}

export function slicedFact({ instance, progress }: LiveTask, record: TaskRecord): Fact {
  const { attempt, failure } = record as Unfinished;
  const { class: failed, message } = failure;
  return { type: "task.sliced", task: instance.name, attempt, failure: failed, message, slice: progress.slice };
}
