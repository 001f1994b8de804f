import type { Lease, Store, TaskCounts } from "@wf/store";
import { formatAge, formatDuration, formatElapsed } from "../format/duration.ts";
import type { QueueState } from "../sites/queue-state.ts";
import { toldQueue } from "../sites/tell-queue.ts";
import { isUnderWay, runState, type ShownStatus } from "./run-state.ts";
import { type RunningAttempt, runningAttempts } from "./stored-progress.ts";

/** How a run stands at one moment, for whoever looks from another process. Times are Unix seconds. */
export interface RunSnapshot {
  readonly run: string;
  readonly workflow: string;
  readonly site: string;
  readonly status: ShownStatus;
  readonly owner: Lease | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly tasks: TaskCounts;
  readonly stages: readonly { readonly stage: string; readonly tasks: TaskCounts }[];
  readonly running: readonly RunningAttempt[];
  /** What the scheduler of its site last said; null where there is none. */
  readonly queue: QueueState | null;
}

export function takeSnapshot(store: Store, name: string): RunSnapshot {
  const { run, workflow, site, status, startedAt, finishedAt, tasks } = store.run(name);
  const { status: shown, owner } = runState(store, run, status);
  return {
    run,
    workflow,
    site,
    status: shown,
    owner: owner ?? null,
    startedAt,
    finishedAt,
    tasks,
    stages: store.stages(run).map(({ stage, counts }) => ({ stage, tasks: counts })),
    running: runningAttempts(store, run),
    queue: toldQueue(store.folder, run) ?? null,
  };
}

/** How long it has run so far, or ran; empty where nobody knows. */
export function timeText(run: Pick<RunSnapshot, "status" | "startedAt" | "finishedAt">, now: number): string {
  if (run.startedAt === null) return "";
  if (run.finishedAt !== null) return formatDuration(run.finishedAt - run.startedAt);
  return isUnderWay(run.status) ? formatElapsed(now - run.startedAt) : "";
}

/** Who runs it; for a dead owner, what to type. Undefined where nobody has to. */
export function ownerText({ run, status, owner }: RunSnapshot, now: number): string | undefined {
  if (status === "interrupted") {
    const who = owner === null ? "nobody runs it" : `process ${owner.pid} on ${owner.host} ran it and is gone`;
    return `${who}. Go on with: wf resume ${run}`;
  }
  if (owner === null) return undefined;
  return `process ${owner.pid} on ${owner.host}, last heard of ${formatAge(now - owner.heartbeatAt)}`;
}
