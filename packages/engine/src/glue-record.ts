import { type TaskRecord, type UnmeasuredAttempt, unmeasuredRecord } from "@wf/protocol";
import type { FnResult } from "./ports.ts";

/** The record of a `fn`, which no launcher saw. */
export function glueRecord(result: FnResult, attempt: Omit<UnmeasuredAttempt, "job">): TaskRecord {
  const { usage } = result;
  const failure = result.ok ? null : { class: result.class, message: result.message };
  const record = unmeasuredRecord({ ...attempt, job: `fn-${attempt.attempt}` }, failure);
  const { wallSeconds } = record.usage;
  const busy =
    usage.userSeconds === null || usage.systemSeconds === null ? null : usage.userSeconds + usage.systemSeconds;
  return {
    ...record,
    usage: {
      ...record.usage,
      ...usage,
      cpuPercent: busy === null || wallSeconds === 0 ? null : (100 * busy) / wallSeconds,
    },
    outputs: result.ok ? result.outputs : {},
  };
}
