import type { JobSpec, TaskSpec } from "@wf/protocol";

const ROUNDING = 1e-9;

/**
 * How long a job takes if each of its tasks runs to its own limit, started in the order and within the cpus that the
 * launcher keeps to. Null where a task has no limit.
 */
export function jobTimeSeconds({ tasks, cpus }: Pick<JobSpec, "tasks" | "cpus">): number | null {
  const waiting = new Set<TaskSpec>(tasks);
  const running = new Map<TaskSpec, number>();
  const ended = new Set<string>();
  let free = cpus;
  let now = 0;
  while (waiting.size + running.size > 0) {
    for (const task of waiting) {
      const needed = Math.min(task.cpus, cpus);
      if (needed > free + ROUNDING || !task.after.every((attempt) => ended.has(attempt))) continue;
      if (task.timeLimitSeconds === null) return null;
      waiting.delete(task);
      running.set(task, now + task.timeLimitSeconds);
      free -= needed;
    }
    if (running.size === 0) return null;
    now = Math.min(...running.values());
    for (const [task, end] of running) {
      if (end > now) continue;
      running.delete(task);
      ended.add(task.attempt);
      free += Math.min(task.cpus, cpus);
    }
  }
  return now;
}
