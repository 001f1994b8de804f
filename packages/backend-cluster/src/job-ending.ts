import type { FailureClass } from "@wf/protocol";

/** Why an attempt failed that could not say so itself. */
export interface JobFailure {
  readonly class: FailureClass;
  readonly message: string;
}

/** Where and when a job was, as far as the scheduler says. */
export interface JobTraces {
  readonly nodes: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The most memory that it was seen to use. */
  readonly peakMemoryBytes: number | null;
}

/** What the exit of a job's own process says of it. */
export type JobExit =
  /** A signal ended it. */
  | "killed"
  /** It says that it was told to end. */
  | "told-to-end"
  /** It did not come to its tasks: where they have records, the job was started again after something had ended it. */
  | "without-tasks";

/** How a job ended. `printed` is the end of what it wrote itself, apart from its tasks. */
export interface JobEnding extends JobTraces {
  /** It came to its end without having been told to. */
  readonly isByItself: boolean;
  /** Null where it says nothing. */
  readonly exit: JobExit | null;
  /** Why attempts failed that left no record. */
  failure(printed: string): JobFailure;
  /** Why attempts failed that were told to end; null where it could be anything. */
  interruption(printed: string): JobFailure | null;
}

/** Of a job that the scheduler has forgotten. What is absent is unknown: only what the job itself wrote may tell. */
export function unknownEnding(failure: JobFailure): JobEnding {
  return {
    ...{ nodes: "", startedAt: null, endedAt: null, peakMemoryBytes: null, isByItself: false, exit: null },
    failure: () => failure,
    interruption: () => null,
  };
}
