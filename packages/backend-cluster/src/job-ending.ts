import type { FailureClass } from "@wf/core";

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
}

/** How a job ended. `printed` is the end of what it wrote itself, apart from its tasks. */
export interface JobEnding extends JobTraces {
  /** It came to its end without having been told to. */
  readonly isByItself: boolean;
  /** Its own process was ended by a signal. */
  readonly isKilled: boolean;
  /** Why attempts failed that left no record. */
  failure(printed: string): JobFailure;
  /** Why attempts failed that were told to end; null where it could be anything. */
  interruption(printed: string): JobFailure | null;
}
