import { stageOfTask, type TaskRecord, taskOfAttempt } from "@wf/protocol";
import type { Fact } from "./fact.ts";

/** `record`: what the success has become. */
export function revokedFact(record: TaskRecord): Fact {
  const task = taskOfAttempt(record.attempt);
  return { type: "task.revoked", task, stage: stageOfTask(task), record };
}
