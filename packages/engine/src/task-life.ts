import type { FailureClass, TaskRecord } from "@wf/protocol";
import type { Failures, RetryPolicy } from "./retry-policy.ts";
import { goesOn } from "./slices.ts";

/**
 * The life of a task that has to run. `queued` waits for a place, `submitted` was handed over, `running` has
 * started, `resting` waits before it is tried again. The rest are ends.
 */
export type TaskState =
  | { readonly name: "queued"; readonly attempts: number; readonly failures: Failures }
  | { readonly name: "submitted"; readonly attempts: number; readonly failures: Failures }
  | { readonly name: "running"; readonly attempts: number; readonly failures: Failures }
  | { readonly name: "resting"; readonly attempts: number; readonly failures: Failures; readonly untilMs: number }
  | { readonly name: "done" }
  | { readonly name: "failed"; readonly class: FailureClass; readonly message: string }
  | { readonly name: "cancelled" };

export const IN_FLIGHT_STATES: ReadonlySet<TaskState["name"]> = new Set(["submitted", "running"]);

export type TaskEvent =
  | { readonly type: "submit" }
  | { readonly type: "started" }
  | { readonly type: "finished"; readonly record: TaskRecord; readonly nowMs: number }
  | { readonly type: "rested" }
  | { readonly type: "cancel" };

/** One row of the table: state x event -> state. An event that does not fit the state changes nothing. */
export function transition(state: TaskState, event: TaskEvent, policy: RetryPolicy): TaskState {
  switch (event.type) {
    case "submit":
      return state.name === "queued" ? { ...state, name: "submitted", attempts: state.attempts + 1 } : state;
    case "started":
      return state.name === "submitted" ? { ...state, name: "running" } : state;
    case "finished":
      return state.name === "submitted" || state.name === "running"
        ? ended(state, event.record, event.nowMs, policy)
        : state;
    case "rested":
      return state.name === "resting" ? { name: "queued", attempts: state.attempts, failures: state.failures } : state;
    case "cancel":
      return state.name === "queued" || state.name === "resting" ? { name: "cancelled" } : state;
  }
}

function ended(
  state: { readonly attempts: number; readonly failures: Failures },
  record: TaskRecord,
  nowMs: number,
  policy: RetryPolicy,
): TaskState {
  const { failure } = record;
  if (!failure) return { name: "done" };
  if (failure.class === "cancelled") return { name: "cancelled" };
  if (failure.class === "not-reached" || goesOn(record))
    return { name: "queued", attempts: state.attempts, failures: state.failures };
  const failures = { ...state.failures, [failure.class]: (state.failures[failure.class] ?? 0) + 1 };
  const restMs = policy.restBeforeRetryMs(failure.class, failures);
  if (restMs === null) return { name: "failed", class: failure.class, message: failure.message };
  return { name: "resting", attempts: state.attempts, failures, untilMs: nowMs + restMs };
}
