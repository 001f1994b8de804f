import type { TaskRecord } from "@wf/protocol";
import { taskOfAttempt } from "./attempt-name.ts";
import type { Fact } from "./fact.ts";
import { stageOfTask } from "./stage-of.ts";

/** `record`: what the success has become. */
export function revokedFact(record: TaskRecord): Fact {
  const task = taskOfAttempt(record.attempt);
  return { type: "task.revoked", task, stage: stageOfTask(task), record };
}
