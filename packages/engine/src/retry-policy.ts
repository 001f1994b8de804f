import type { FailureClass } from "@wf/protocol";

/** What a failure costs: the task's own retries, a budget of its class, or no second try at all. */
const BUDGETS: Readonly<Record<FailureClass, "retries" | number>> = {
  exit: "retries",
  signal: "retries",
  "out-of-memory": "retries",
  "time-limit": "retries",
  // It never ends without a checkpoint to go on from: see slices.ts.
  "slice-ended": 0,
  "output-missing": "retries",
  "output-invalid": "retries",
  cancelled: 0,
  "input-changed": 0,
  // It is no failure, and never asked for: see task-life.ts.
  "not-reached": 0,
  "not-started": 0,
  "disk-full": 0,
  "stage-in": 1,
  interrupted: 3,
  // It is not the task's doing, and the scheduler will let it run in the end.
  preempted: 100,
  "node-failed": 5,
  lost: 3,
  internal: 1,
};

/** How often each class of failure has happened: each has a budget of its own. */
export type Failures = Readonly<Partial<Record<FailureClass, number>>>;

export interface RetryPolicy {
  /** How long to wait before the next try; null when there is none. */
  restBeforeRetryMs(failed: FailureClass, failures: Failures): number | null;
}

const FIRST_REST_MS = 1000;
const LONGEST_REST_MS = 60_000;

/** Waits 1 s, 2 s, 4 s … up to a minute, each shortened by up to half at random, so that retries do not come in step. */
export function retryPolicy(retries: number, random: () => number): RetryPolicy {
  return {
    restBeforeRetryMs(failed, failures) {
      const budget = BUDGETS[failed];
      const spent =
        budget === "retries"
          ? Object.entries(failures)
              .filter(([name]) => BUDGETS[name as FailureClass] === "retries")
              .reduce((sum, [, times]) => sum + times, 0)
          : (failures[failed] ?? 0);
      if (spent > (budget === "retries" ? retries : budget)) return null;
      const rest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (spent - 1));
      return Math.round(rest * (1 - random() / 2));
    },
  };
}
