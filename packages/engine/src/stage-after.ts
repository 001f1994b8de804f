import type { PlannedStage } from "@wf/planner";
import type { TaskRecord } from "@wf/protocol";
import type { LiveTask } from "./live-task.ts";
import { resourcesAfter } from "./more-memory.ts";
import type { RunOptions } from "./run-options.ts";

/** What the next attempt of a task asks for, after one that left this record. */
export function stageAfter(
  { stage, instance }: LiveTask,
  record: TaskRecord,
  { memory, mostMemoryBytes }: RunOptions,
): PlannedStage {
  const look = () => ({
    accountedBytes: memory.accountedMemoryOf(instance.name),
    mostBytes: mostMemoryBytes(stage.resources),
  });
  return { ...stage, resources: resourcesAfter(stage.resources, record, look) };
}
