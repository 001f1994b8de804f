import { WfError } from "@wf/protocol";
import type { AttemptDetails, Store } from "@wf/store";

export interface ShownAttempt {
  /** The run and task that it belongs to: for a cached task, those that it was taken from. */
  readonly run: string;
  readonly task: string;
  readonly attempt: AttemptDetails;
  /** The process of a distributed task; 0 for others. */
  readonly rank: number;
  readonly isCached: boolean;
}

/** The attempt that a person means: the one with that number, else the last; of a cached task, where it really ran. */
export function attemptToShow(
  store: Store,
  run: string,
  task: string,
  number: number | undefined,
  rank = 0,
): ShownAttempt {
  const { state, cachedFrom } = store.task(run, task);
  const where = `run ${run}, task ${task}`;
  if (cachedFrom !== null) {
    if (isKnown(store, cachedFrom.run)) {
      return { ...attemptToShow(store, cachedFrom.run, cachedFrom.task, number, rank), isCached: true };
    }
    throw new WfError(
      "WF_TASK_NOT_FOUND",
      `it was taken from the cache, and ${cachedFrom.run}, which made it, has been deleted`,
      {
        where,
        hint: "run it again with --no-cache",
      },
    );
  }
  const attempts = store.attempts(run, task);
  if (attempts.length === 0) {
    throw new WfError("WF_TASK_NOT_FOUND", `it was never tried: it is ${state}`, {
      where,
      hint: `wf show ${run} ${task}`,
    });
  }
  const attempt = number === undefined ? attempts.at(-1) : attempts.find((one) => one.number === number);
  if (attempt !== undefined) return { run, task, attempt, rank, isCached: false };
  throw new WfError("WF_TASK_NOT_FOUND", `it has no attempt ${number}`, {
    where,
    hint: `its attempts are ${attempts.map((one) => one.number).join(", ")}`,
  });
}

function isKnown(store: Store, run: string): boolean {
  try {
    return store.findRun(run) === run;
  } catch (error) {
    if (error instanceof WfError && error.code === "WF_RUN_NOT_FOUND") return false;
    throw error;
  }
}
