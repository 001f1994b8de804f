import type { QueueState } from "@wf/run";
import { toldQueue } from "@wf/run";
import { type Lease, machineOf, type Store, type TaskCounts } from "@wf/store";
import { counted } from "../format/count.ts";
import { formatAge, formatDuration, formatElapsed } from "../format/duration.ts";
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
  /** Its owner starts nothing more; null while it does. */
  readonly stopping: Stopping | null;
}

export interface Stopping {
  readonly how: "drain" | "cancel";
  /** What keeps the run from going on; null where somebody asked for it. */
  readonly why: string | null;
  readonly at: number;
}

export function takeSnapshot(store: Store, name: string): RunSnapshot {
  const { run, workflow, site, status, startedAt, finishedAt, tasks } = store.run(name);
  const { status: shown, owner } = runState(store, run, status);
  return {
    run,
    workflow,
    site,
    status: shown,
    owner: owner === undefined ? null : { ...owner, host: machineOf(owner) },
    startedAt,
    finishedAt,
    tasks,
    stages: store.stages(run).map(({ stage, counts }) => ({ stage, tasks: counts })),
    running: runningAttempts(store, run),
    queue: toldQueue(store.folder, run) ?? null,
    stopping: isUnderWay(shown) && owner ? stoppingOf(store, run, owner) : null,
  };
}

/** Of this owner: an earlier one may have been stopped, too. */
function stoppingOf(store: Store, run: string, owner: Lease): Stopping | null {
  const event = store.lastEvent(run, "run.stopping");
  if (event === undefined || event.at < owner.since) return null;
  return { ...(event.data as unknown as Omit<Stopping, "at">), at: event.at };
}

/** What the owner of a run is about to do, and what to type; undefined where it simply goes on. */
export function stoppingText({ run, stopping, tasks }: RunSnapshot, now: number): string | undefined {
  if (stopping === null) return undefined;
  const why = stopping.why === null ? "" : ` (${stopping.why})`;
  const running = counted(tasks.running, "running task");
  if (stopping.how === "cancel") return `cancels ${running}, for ${formatElapsed(now - stopping.at)}`;
  return `waits for ${running} and starts nothing more, for ${formatElapsed(now - stopping.at)}${why}; to end them now: wf cancel ${run}`;
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
