import { totalOf } from "@wf/core";
import type { PlannedStage } from "@wf/planner";
import type { NodeTask } from "./documents.ts";
import { tasksOf } from "./formula.ts";
import type { StaticTask } from "./static-part.ts";

/** What one node of the DAG carries. */
export interface DagJob {
  readonly stage: PlannedStage;
  readonly tasks: readonly NodeTask[];
  /** The tasks of other nodes that must have ended well. */
  readonly after: ReadonlySet<string>;
}

interface Placed {
  readonly stage: PlannedStage;
  readonly told: NodeTask;
  readonly after: ReadonlySet<string>;
  readonly level: number;
}

/**
 * Tasks of a stage share a node as the site's clustering says. Only tasks that are as deep in the DAG as each other do,
 * so that no node waits for itself.
 */
export function dagJobs(tasks: readonly StaticTask[], tell: (task: StaticTask) => NodeTask): readonly DagJob[] {
  const levels = new Map<string, number>();
  const groups = new Map<string, Placed[]>();
  const order: Placed[][] = [];
  for (const task of tasks) {
    const placed = place(task, tell(task), levels);
    levels.set(task.task.name, placed.level);
    const likeness = `${task.task.node.id} ${placed.level}`;
    const open = groups.get(likeness);
    if (open && open.length < task.stage.tasksPerJob) open.push(placed);
    else {
      const opened = [placed];
      groups.set(likeness, opened);
      order.push(opened);
    }
  }
  return order.map((group) => ({
    stage: (group[0] as Placed).stage,
    tasks: group.map(({ told }) => told),
    after: new Set(group.flatMap(({ after }) => [...after])),
  }));
}

function place({ stage, after: ordered }: StaticTask, told: NodeTask, levels: ReadonlyMap<string, number>): Placed {
  const after = new Set(ordered);
  for (const { from } of Object.values(told.later.inputs)) tasksOf(from, after);
  for (const formula of Object.values(told.later.params)) tasksOf(formula, after);
  const level = [...after].reduce((most, name) => Math.max(most, (levels.get(name) ?? 0) + 1), 0);
  return { stage, told, after, level };
}

/** What a job asks the pool for. */
export function resourcesOf({ stage }: Pick<DagJob, "stage">) {
  return totalOf(stage.resources);
}
