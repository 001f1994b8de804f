import type { QueueState } from "@wf/run";
import { counted, formatCount } from "../format/count.ts";
import { formatElapsed } from "../format/duration.ts";

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
