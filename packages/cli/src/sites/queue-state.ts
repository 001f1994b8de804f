import { z } from "zod";
import { counted, formatCount } from "../format/count.ts";

/** What the scheduler of a site says of a run's jobs, and how often it was asked. */
export const QueueState = z.object({
  /** Jobs that the scheduler has not taken yet. */
  unsubmitted: z.number(),
  running: z.number(),
  /** Those that somebody has to release; they are among the waiting ones. */
  held: z.number(),
  /** The first of them. */
  heldJobs: z.array(z.string()).readonly().default([]),
  howToRelease: z.string(),
  /** By the scheduler's own reason. */
  waiting: z.record(z.string(), z.number()),
  /** By the name of the command. */
  commands: z.record(z.string(), z.number()),
});
export type QueueState = z.infer<typeof QueueState>;

export function queueText({
  unsubmitted,
  running,
  held,
  heldJobs,
  howToRelease,
  waiting,
  commands,
}: QueueState): string {
  const reasons = Object.entries(waiting).sort(([, a], [, b]) => b - a);
  const jobs = [
    `${counted(running, "job")} running`,
    ...reasons.map(([reason, count]) => `${formatCount(count)} waiting (${reason})`),
    ...(unsubmitted > 0 ? [`${formatCount(unsubmitted)} not yet submitted`] : []),
    ...(held > 0 ? [`${formatCount(held)} held: ${howToRelease.replaceAll("JOB", namesOf(heldJobs, held))}`] : []),
  ];
  const asked = Object.values(commands).reduce((sum, count) => sum + count, 0);
  return `${jobs.join(", ")}; ${counted(asked, "scheduler command")}`;
}

/** As the scheduler's commands take them, with `…` where there are more. */
function namesOf(jobs: readonly string[], total: number): string {
  return jobs.length === 0 ? "JOB" : [...jobs, ...(total > jobs.length ? ["…"] : [])].join(" ");
}
