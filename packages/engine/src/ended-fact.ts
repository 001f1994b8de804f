import type { TaskInstance } from "@wf/planner";
import type { Fact } from "./fact.ts";

type Ended = Extract<Fact, { type: "task.ended" }>;

export function endedFact(task: TaskInstance, end: Omit<Ended, "type" | "task" | "stage" | "index">): Ended {
  return { type: "task.ended", task: task.name, stage: task.node.id, index: task.index, ...end };
}
