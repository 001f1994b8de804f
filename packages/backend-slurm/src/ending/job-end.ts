import type { JobState } from "../parsing/job-state.ts";
import type { AccountingRow } from "../parsing/parse-sacct.ts";
import type { QueueRow } from "../parsing/parse-squeue.ts";

/** How a job ended, as far as SLURM says. */
export interface JobEnd {
  readonly state: JobState;
  /** SLURM's own words for it. */
  readonly words: string;
  readonly reason: string;
  /** Null where only the queue was heard, which does not tell. */
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly nodes: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly peakMemoryBytes: number | null;
}

export function endFromAccounting(row: AccountingRow & { readonly state: JobState }): JobEnd {
  const { state, words, reason, exitCode, signal, nodes, startedAt, endedAt, peakMemoryBytes } = row;
  return { state, words, reason, exitCode, signal, nodes, startedAt, endedAt, peakMemoryBytes };
}

/** The queue's word, where accounting has none. */
export function endFromQueue(row: QueueRow & { readonly state: JobState }): JobEnd {
  const { state, words, reason, nodes } = row;
  const unknown = { exitCode: null, signal: null, startedAt: null, endedAt: null, peakMemoryBytes: null };
  return { state, words, reason, nodes, ...unknown };
}
