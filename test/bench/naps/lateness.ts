import type { TaskRecord } from "@wf/protocol";
import { toldIn } from "./told.ts";

/** Of each task that `wf run --json` told of: seconds from the end of its command until then. */
export function lateness(stdout: string, tasks: number): readonly number[] {
  const late = toldIn(stdout)
    .filter(({ type }) => type === "attempt.finished")
    .map(({ time, record }) => time - (record as TaskRecord).endedAt);
  if (late.length !== tasks) throw new Error(`wf told of ${late.length} ends instead of ${tasks}`);
  return late;
}
