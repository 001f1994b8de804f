import type { LeftInQueue } from "@wf/backend";
import type { BatchSystem } from "./batch-system.ts";
import { type Element, toSettle } from "./element.ts";
import type { JobFailure } from "./job-ending.ts";
import type { LoginNode } from "./login-node.ts";

export interface QueueToLeave {
  /** What was submitted, or was about to be, and has not ended. */
  readonly elements: readonly Element[];
  /** What will never start, and of which the scheduler has not been told. */
  readonly givenUp: readonly Element[];
  readonly failure: JobFailure;
  readonly login: Pick<LoginNode, "recall" | "settle">;
  readonly system: Pick<BatchSystem<never>, "cancel" | "removal" | "jobName" | "phaseOf">;
  isRunning(element: Element): boolean;
}

/**
 * Takes out of the queue what waits there. Law: nobody is told that something is gone unless the scheduler was asked to
 * remove it. Returns what is left: what runs, and everything where the site cannot be reached.
 */
export async function leaveQueue(queue: QueueToLeave, signal: AbortSignal): Promise<LeftInQueue | null> {
  const { system, isRunning } = queue;
  await findUnanswered(queue, signal);
  const elements = queue.elements.filter(({ taken }) => taken !== null && system.phaseOf(taken.job) !== undefined);
  const waiting = elements.filter((element) => !isRunning(element));
  const unstarted = [...queue.givenUp, ...(await settleUnstarted(queue, waiting, signal))];
  const gone = await system.cancel(unstarted, "waiting", signal).then(
    () => new Set(unstarted),
    () => new Set<Element>(),
  );
  const left = [...queue.givenUp, ...elements].filter((element) => !gone.has(element));
  if (left.length === 0) return null;
  return { jobs: left.flatMap(({ taken }) => taken?.job ?? []), remove: system.removal(left) };
}

/** A submission whose answer did not come any more may be in the queue. */
async function findUnanswered({ elements, login, system }: QueueToLeave, signal: AbortSignal): Promise<void> {
  const tokens = new Set(elements.flatMap(({ token, taken }) => (taken === null && token !== null ? [token] : [])));
  for (const token of tokens) {
    const id = await login.recall(token, signal).then(
      (recalled) => recalled.id,
      () => null,
    );
    if (id === null) continue;
    for (const element of elements) {
      if (element.token !== token) continue;
      element.taken = { id, job: system.jobName(id, element.index, element.siblings) };
    }
  }
}

/** Those that will never start. Where the storage takes no marks any more, the scheduler's word has to do. */
async function settleUnstarted(
  { login, failure }: QueueToLeave,
  waiting: readonly Element[],
  signal: AbortSignal,
): Promise<readonly Element[]> {
  if (waiting.length === 0) return [];
  try {
    const unstarted = await login.settle(
      waiting.map((element) => toSettle(element, failure, null)),
      signal,
    );
    return unstarted.flatMap((position) => waiting[position] ?? []);
  } catch {
    return waiting;
  }
}
