import type { JobFailure } from "@wf/backend-cluster";
import { failureOfEnd } from "../ending/failure-of-end.ts";
import type { JobEnd } from "../ending/job-end.ts";

/** Why an attempt failed whose pilot is over. That a pilot was cancelled or ran out of time is no fault of its tasks. */
export function failureOfPilot(end: JobEnd, printed: string): JobFailure {
  const failure = failureOfEnd(end, printed);
  switch (failure.class) {
    case "preempted":
    case "node-failed":
    case "out-of-memory":
      return failure;
    default:
      return { class: "lost", message: `its pilot is gone: ${failure.message}` };
  }
}
