import { z } from "zod";
import { counted, formatCount } from "../format/count.ts";
import { formatElapsed } from "../format/duration.ts";

const Since = z.object({
  /** Unix seconds. */
  at: z.number(),
  why: z.string(),
});

/** What the scheduler of a site says of a run's jobs, and how often it was asked. */
export const QueueState = z.object({
  /** Jobs that the scheduler has not taken yet. */
  unsubmitted: z.number(),
  running: z.number(),
  /** Those that somebody has to release, by the scheduler's own reason. */
  held: z.record(z.string(), z.number()),
  /** The first of them. */
  heldJobs: z.array(z.string()).readonly().default([]),
  howToRelease: z.string(),
  /** By the scheduler's own reason. */
  waiting: z.record(z.string(), z.number()),
  /** By the name of the command. */
  commands: z.record(z.string(), z.number()),
  /** The connection to the site, while it is lost. */
  lost: Since.nullable().default(null),
  /** The scheduler, while it does not answer. */
  silent: Since.nullable().default(null),
});
export type QueueState = z.infer<typeof QueueState>;

/** What keeps the owner of a run from hearing of it, one line each. Jobs go on meanwhile. */
export function troubleTexts({ lost, silent }: QueueState, nowSeconds: number): string[] {
  const since = (at: number) => formatElapsed(Math.max(0, nowSeconds - at));
  return [
    ...(lost === null
      ? []
      : [`the connection has been lost for ${since(lost.at)} (${lost.why}); what runs there goes on`]),
    ...(silent === null
      ? []
      : [`the scheduler has not answered for ${since(silent.at)} (${silent.why}); what runs there goes on`]),
  ];
}

export function queueText({
  unsubmitted,
  running,
  held,
  heldJobs,
  howToRelease,
  waiting,
  commands,
}: QueueState): string {
  const byReason = (word: string, counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([reason, count]) => `${formatCount(count)} ${word} (${reason})`);
  const holds = byReason("held", held);
  const total = Object.values(held).reduce((sum, count) => sum + count, 0);
  const jobs = [
    `${counted(running, "job")} running`,
    ...byReason("waiting", waiting),
    ...(unsubmitted > 0 ? [`${formatCount(unsubmitted)} not yet submitted`] : []),
    ...(total > 0 ? [`${holds.join(", ")}: ${howToRelease.replaceAll("JOB", namesOf(heldJobs, total))}`] : []),
  ];
  const asked = Object.values(commands).reduce((sum, count) => sum + count, 0);
  return `${jobs.join(", ")}; ${counted(asked, "scheduler command")}`;
}

/** As the scheduler's commands take them, with `…` where there are more. */
function namesOf(jobs: readonly string[], total: number): string {
  return jobs.length === 0 ? "JOB" : [...jobs, ...(total > jobs.length ? ["…"] : [])].join(" ");
}
