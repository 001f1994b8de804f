import type { Hold } from "../parsing/pool-event.ts";

/** How an execution of a job ended. HTCondor may mean to start it again; wf does not. */
export type How =
  | { readonly how: "terminated"; readonly exitCode: number | null; readonly signal: number | null }
  | { readonly how: "removed"; readonly reason: string }
  /** `isNodeLost`: the machine did not answer any more, rather than that it sent the job away. */
  | { readonly how: "evicted"; readonly reason: string; readonly isNodeLost: boolean }
  | { readonly how: "held"; readonly hold: Hold }
  /** It had ended, but in which way is not known. */
  | { readonly how: "unknown" };

export type JobEnd = How & {
  readonly slot: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
};
