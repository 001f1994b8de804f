import type { RunEvent, RunSummary } from "./run-event.ts";

/**
 * A run that goes on, whether or not anybody follows it. Each `for await` gets the events from where it begins: the
 * first of them all, if it begins at once. What is not read yet waits in memory; what nobody follows is not kept.
 */
export interface RunInProgress extends AsyncIterable<RunEvent> {
  /** How it ended; rejected with a WfError if it could not go on. */
  readonly result: Promise<RunSummary>;
  /** Starts nothing more and lets what runs finish: the run ends as `stopped`, and can be resumed. */
  drain(): void;
  /** Ends what runs: the run ends as `cancelled`, and can be resumed. */
  cancel(): void;
}
