import { FAILURE_CLASSES, type TaskRecord } from "@wf/protocol";
import { expect, test } from "vitest";
import { IN_FLIGHT_STATES, type TaskEvent, type TaskState, transition } from "./task-life.ts";
import { testRecord } from "./test-site.ts";

const policy = { restBeforeRetryMs: () => 500 as number | null };
const never = { restBeforeRetryMs: () => null };
const succeeded = testRecord({}, {});
const failed = testRecord({}, { failure: "exit" });
const cancelled = testRecord({}, { failure: "cancelled" });

const counts = { attempts: 1, failures: { lost: 1 } };
const STATES: { readonly [N in TaskState["name"]]: TaskState } = {
  queued: { name: "queued", ...counts },
  submitted: { name: "submitted", ...counts },
  running: { name: "running", ...counts },
  resting: { name: "resting", ...counts, untilMs: 9 },
  done: { name: "done" },
  failed: { name: "failed", class: "exit", message: "x" },
  cancelled: { name: "cancelled" },
};
const finished = (record: TaskRecord): TaskEvent => ({ type: "finished", record, nowMs: 1000 });
const EVENTS = {
  submit: { type: "submit" },
  started: { type: "started" },
  "finished well": finished(succeeded),
  "finished badly": finished(failed),
  "finished cancelled": finished(cancelled),
  rested: { type: "rested" },
  cancel: { type: "cancel" },
} as const;

const rests = { name: "resting", attempts: 1, failures: { lost: 1, exit: 1 }, untilMs: 1500 };
/** Every cell that is not here changes nothing. */
const CHANGES: Readonly<Record<string, object>> = {
  "queued, submit": { name: "submitted", attempts: 2, failures: { lost: 1 } },
  "queued, cancel": { name: "cancelled" },
  "submitted, started": { name: "running", ...counts },
  "submitted, finished well": { name: "done" },
  "submitted, finished badly": rests,
  "submitted, finished cancelled": { name: "cancelled" },
  "running, finished well": { name: "done" },
  "running, finished badly": rests,
  "running, finished cancelled": { name: "cancelled" },
  "resting, rested": { name: "queued", ...counts },
  "resting, cancel": { name: "cancelled" },
};

const cells = Object.keys(STATES).flatMap((state) => Object.keys(EVENTS).map((event) => [state, event] as const));

test.each(cells)("%s, %s", (state, event) => {
  const before = STATES[state as keyof typeof STATES];
  const after = transition(before, EVENTS[event as keyof typeof EVENTS], policy);
  expect(after).toEqual(CHANGES[`${state}, ${event}`] ?? before);
});

test("what is in flight is what was handed over and has not ended", () => {
  expect([...IN_FLIGHT_STATES]).toEqual(["submitted", "running"]);
});

test.each(FAILURE_CLASSES.filter((failure) => failure !== "cancelled" && failure !== "not-reached"))(
  "without a further try %s is the end",
  (failure) => {
    const record = testRecord({}, { failure });
    expect(transition(STATES.running, finished(record), never)).toEqual({
      name: "failed",
      class: failure,
      message: record.failure?.message,
    });
  },
);

test.each(["slice-ended", "time-limit", "preempted", "interrupted", "node-failed", "lost"] as const)(
  "after %s a task goes on from the checkpoint that it left, and no try is counted",
  (failure) => {
    const record = testRecord({}, { failure, leaves: 1 });
    expect(transition(STATES.running, finished(record), never)).toEqual({ name: "queued", ...counts });
  },
);

test("a task that was not reached waits again, and no try is counted", () => {
  const record = testRecord({}, { failure: "not-reached" });
  expect(transition(STATES.submitted, finished(record), never)).toEqual({ name: "queued", ...counts });
});

test("a task that failed by itself is tried as often as it may be, whatever it left", () => {
  const record = testRecord({}, { failure: "exit", leaves: 1 });
  expect(transition(STATES.running, finished(record), never)).toMatchObject({ name: "failed", class: "exit" });
});
