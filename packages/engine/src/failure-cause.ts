import type { TaskRecord } from "@wf/protocol";
import type { FailureCause } from "./fact.ts";

/** Why a task failed whose last attempt left this record. */
export function causeOf(task: string, { attempt, failure }: TaskRecord): FailureCause {
  return { root: task, message: failure?.message ?? "", attempt, ...(failure ? { class: failure.class } : {}) };
}
