import { type JobEnding, judgePast } from "@wf/backend-cluster";
import type { TaskRecord } from "@wf/protocol";
import type { ClusterSite } from "@wf/run";
import { RunSite } from "@wf/run";
import type { PastSuccess, Store } from "@wf/store";

/** A result whose job the scheduler had ended. */
export interface KilledSuccess {
  readonly run: string;
  readonly site: string;
  readonly task: string;
  readonly attempt: string;
  /** What the scheduler calls it. */
  readonly job: string;
  readonly failure: NonNullable<TaskRecord["failure"]>;
  /** Unix seconds; null where accounting does not say. */
  readonly jobEndedAt: number | null;
}

export interface Rechecked {
  /** Results that were looked at. */
  readonly results: number;
  /** Those of them whose jobs accounting does not know any more. */
  readonly unknown: number;
  readonly killed: readonly KilledSuccess[];
}

/** Accounting of one cluster, asked about all jobs at once. */
export type AskEndings = (
  site: ClusterSite,
  jobs: readonly string[],
) => Promise<ReadonlyMap<string, readonly JobEnding[]>>;

interface OfRun {
  readonly run: string;
  readonly site: string;
  readonly success: PastSuccess;
}

/** Looks for results of these runs that are none. Each cluster is asked once. */
export async function recheckRuns(store: Store, runs: readonly string[], ask: AskEndings): Promise<Rechecked> {
  let [results, unknown] = [0, 0];
  const killed: KilledSuccess[] = [];
  for (const { site, successes } of byCluster(store, runs)) {
    const endings = await ask(site, [...new Set(successes.map(({ success }) => success.queueJob))]);
    results += successes.length;
    for (const { run, site: name, success } of successes) {
      const { task, attempt, queueJob: job, startedAt, endedAt, tasksInJob } = success;
      const verdict = judgePast({ startedAt, endedAt, isAlone: tasksInJob === 1 }, endings.get(job) ?? []);
      if (verdict.type === "unknown") unknown += 1;
      if (verdict.type !== "revoked") continue;
      const { failure, jobEndedAt } = verdict;
      killed.push({ run, site: name, task, attempt, job, failure, jobEndedAt });
    }
  }
  return { results, unknown, killed };
}

/** Runs of one cluster share its accounting, whatever else was set for them. */
function byCluster(
  store: Store,
  runs: readonly string[],
): Iterable<{ readonly site: ClusterSite; readonly successes: OfRun[] }> {
  const clusters = new Map<string, { readonly site: ClusterSite; readonly successes: OfRun[] }>();
  for (const run of runs) {
    const { options, site: name } = store.run(run);
    const site = RunSite.safeParse((options as { readonly site?: unknown }).site).data;
    if (site === undefined || site.backend === "local") continue;
    const successes = store.pastSuccesses(run).map((success) => ({ run, site: name, success }));
    if (successes.length === 0) continue;
    const { backend, host, sshConfig, prelude } = site;
    const key = JSON.stringify([backend, host, sshConfig, prelude]);
    const known = clusters.get(key);
    if (known === undefined) clusters.set(key, { site, successes });
    else known.successes.push(...successes);
  }
  return clusters.values();
}
