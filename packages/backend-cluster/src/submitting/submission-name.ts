import type { JobSpec } from "@wf/protocol";

const LONGEST_TASK = 40;

/**
 * What the queue shows people, who see its first letters only: the task, how many others go with it, the run, which begins
 * with its workflow, and what makes it unique, as submissions are looked for by it: `upper.3+19-words-1-enwt-0123456789abcdef`.
 */
export function submissionName(run: string, jobs: readonly Pick<JobSpec, "tasks">[], token: string): string {
  const tasks = jobs.flatMap((job) => job.tasks.map(({ task }) => task));
  const others = tasks.length > 1 ? `+${tasks.length - 1}` : "";
  return queueName(`${(tasks[0] ?? "").slice(0, LONGEST_TASK)}${others}`, run, token);
}

/** Of letters that every scheduler takes in a name. */
export function queueName(what: string, run: string, token: string): string {
  return `${what}-${run}-${token}`.replace(/[^\w.+-]/g, "_");
}
